// page: list.html
const names = [];
for (const item of await page.getByRole('listitem').all()) names.push((await item.locator('.text').innerText()).toUpperCase());
return names.join('|');
