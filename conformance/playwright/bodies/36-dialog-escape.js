// page: dialog.html
await page.click('#open');
await page.keyboard.press('Escape');
await page.waitForFunction(() => document.getElementById('state').textContent !== 'active');
return [await page.locator('#ask').isVisible(), await page.locator('#state').innerText()];
