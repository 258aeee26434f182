// page: list.html
const items = page.getByRole('listitem');
console.log(await items.count());
return [await items.allInnerTexts(), await page.locator('.text').allTextContents()];
