// page: frame.html
await page.getByRole('button', { name: 'Press' }).click();
return [await page.locator('#out').innerText(), await page.getByText('Inside').count(), (await page.content()).includes('<h1>With a frame</h1>')];
