// page: late.html
await page.getByRole('button', { name: 'Slow' }).click();
return await page.locator('#out').innerText();
