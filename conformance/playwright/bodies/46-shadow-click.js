// page: shadow.html
await page.locator('#second').getByLabel('Note').fill('hello');
await page.getByRole('button', { name: 'Save second' }).click();
return [await page.locator('#log').textContent(), await page.locator('x-card h2').allTextContents(), await page.getByText('Card first').count()];
