// page: covered.html
await page.getByRole('button', { name: 'Far below' }).click();
return [await page.locator('#log').innerText(), await page.evaluate(() => window.scrollY > 1000)];
