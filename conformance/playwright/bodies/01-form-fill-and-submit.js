// page: form.html
await page.getByLabel('Full name').fill('Grace Hopper');
await page.getByTestId('email').fill('grace@example.org');
await page.getByRole('checkbox', { name: 'I accept the terms' }).check();
await page.getByLabel('Country').selectOption('de');
await page.getByRole('button', { name: 'Create account' }).click();
console.log(await page.locator('#result').textContent());
return await page.title();
