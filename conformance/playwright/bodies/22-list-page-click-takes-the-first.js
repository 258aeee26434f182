// page: list.html
await page.click('#tasks button');
return await page.locator('.text').allInnerTexts();
