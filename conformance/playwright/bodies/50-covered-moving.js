// page: covered.html
await page.goto(page.url() + '#move');
await page.reload();
await page.waitForTimeout(60);
await page.locator('#mover').click();
return await page.locator('#log').innerText();
