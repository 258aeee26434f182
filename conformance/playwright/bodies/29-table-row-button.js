// page: table.html
await page.getByRole('row', { name: 'Bob' }).getByRole('button', { name: 'Cancel' }).click();
return await page.getByRole('status').innerText();
