// page: list.html
const count = await page.evaluate((selector) => document.querySelectorAll(selector).length, 'li');
const title = await page.locator('li').nth(1).evaluate((element, suffix) => element.className + suffix, '!');
return { count, title, nothing: await page.evaluate(() => {}), sum: await page.evaluate('1 + 1'), later: await page.evaluate(async () => { await null; return [1, { a: null }]; }) };
