// page: form.html
await page.getByRole('radio', { name: 'Pro' }).check();
return [await page.getByLabel('Free').isChecked(), await page.getByLabel('Pro').isChecked(), await page.getByRole('radio', { checked: true }).getAttribute('value')];
