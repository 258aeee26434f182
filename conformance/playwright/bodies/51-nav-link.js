// page: nav-a.html
await page.getByRole('link', { name: 'To the second' }).click();
await page.waitForURL('**/nav-b.html*');
const url = new URL(page.url());
return [await page.title(), url.pathname, url.search, url.hash, await page.locator('#query').innerText()];
