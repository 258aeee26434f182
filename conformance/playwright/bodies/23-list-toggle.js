// page: list.html
await page.getByText('Buy milk').click();
return [await page.locator('li.done').count(), await page.locator('#count').innerText()];
