// page: nav-a.html
await page.getByRole('button', { name: 'Go later' }).click();
await page.waitForURL(/late=1/);
return await page.textContent('h1');
