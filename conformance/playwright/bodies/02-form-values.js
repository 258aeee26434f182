// page: form.html
const city = page.getByRole('textbox', { name: 'City' });
return [await city.inputValue(), await city.getAttribute('value'), await city.getAttribute('nope'), await page.inputValue('#name'), await page.getByLabel('Country').inputValue()];
