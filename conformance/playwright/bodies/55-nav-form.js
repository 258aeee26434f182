// page: nav-a.html
await page.getByLabel('Search').fill('two words');
await page.getByLabel('Search').press('Enter');
await page.waitForLoadState();
return [await page.locator('h1').innerText(), await page.locator('#query').innerText()];
