// page: late.html
await page.click('#start');
await page.getByRole('button', { name: 'Ready' }).click();
return [await page.title(), await page.evaluate(() => window.finished), await page.getByRole('listitem').allInnerTexts()];
