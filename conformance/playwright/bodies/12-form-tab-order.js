// page: form.html
await page.locator('#name').focus();
await page.keyboard.press('Tab');
await page.keyboard.type('tab@example.org');
await page.keyboard.press('Shift+Tab');
return [await page.evaluate(() => document.activeElement.name), await page.getByTestId('email').inputValue()];
