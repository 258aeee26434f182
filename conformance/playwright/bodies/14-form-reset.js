// page: form.html
await page.fill('#name', 'x');
await page.uncheck('[name=news]');
await page.click('button[type=reset]');
return [await page.inputValue('#name'), await page.isChecked('[name=news]'), await page.locator('button').allTextContents()];
