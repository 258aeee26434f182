// page: nav-a.html
await page.getByRole('button', { name: 'Push' }).click();
await page.waitForURL((url) => url.searchParams.get('step') === '2');
return [await page.locator('#where').innerText(), page.url().endsWith('?step=2')];
