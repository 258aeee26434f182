// page: form.html
const city = page.getByLabel('City');
await city.clear();
await city.pressSequentially('Rome');
await city.press('End');
await city.type('!');
return [await city.inputValue(), await page.evaluate(() => log.filter((line) => line === 'keydown:city').length)];
