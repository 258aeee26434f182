// page: dialog.html
await page.getByRole('button', { name: 'Delete account' }).click();
const dialog = page.getByRole('dialog', { name: 'Are you sure?' });
await dialog.waitFor();
await dialog.getByLabel('Reason').fill('bored');
await dialog.getByRole('button', { name: 'Delete' }).click();
await dialog.waitFor({ state: 'hidden' });
await page.getByText('yes:').waitFor();
return await page.locator('#state').textContent();
