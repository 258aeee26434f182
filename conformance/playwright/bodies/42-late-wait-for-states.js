// page: late.html
await page.locator('#spinner').waitFor({ state: 'detached' });
await page.click('#start');
const handle = await page.waitForSelector('#ready');
return [await handle.innerText(), await page.waitForSelector('#nope', { state: 'detached' }), await page.locator('#spinner').count()];
