// page: table.html
await page.getByRole('button', { name: 'Customer' }).click();
return await page.locator('tbody tr td:first-child').allTextContents();
