// page: dialog.html
await page.getByRole('dialog', { name: 'Cookies' }).getByRole('button').click();
return [await page.locator('#cookie').isHidden(), await page.getByRole('dialog').count()];
