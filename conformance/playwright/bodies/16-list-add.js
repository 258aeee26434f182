// page: list.html
await page.getByPlaceholder('What next?').fill('Read a book');
await page.getByRole('button', { name: 'Add' }).click();
await page.getByPlaceholder('What next?').fill('Sleep');
await page.keyboard.press('Enter');
return [await page.locator('#count').innerText(), await page.locator('li').last().locator('.text').textContent()];
