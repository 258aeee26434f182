// page: covered.html
await page.goto(page.url() + '#lift');
await page.reload();
await page.locator('#under').click();
return await page.locator('#log').innerText();
