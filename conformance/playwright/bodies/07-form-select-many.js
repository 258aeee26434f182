// page: form.html
const picked = await page.getByLabel('Languages').selectOption(['en', 'de']);
console.log(picked, await page.evaluate(() => [...document.querySelector('#langs').selectedOptions].map((one) => one.text)));
return await page.getByLabel('Languages').selectOption([]);
