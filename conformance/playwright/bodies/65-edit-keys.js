// page: edit.html
await page.locator('#field').click();
await page.keyboard.type('aB1');
await page.keyboard.press('Control+A');
await page.keyboard.press('Backspace');
await page.keyboard.down('Shift');
await page.keyboard.press('KeyX');
await page.keyboard.up('Shift');
await page.keyboard.insertText('日本');
return [await page.inputValue('#field'), await page.evaluate(() => keys)];
