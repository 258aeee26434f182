// page: list.html
const items = page.locator('#tasks .text');
return [await items.first().innerText(), await items.nth(1).innerText(), await items.last().innerText(), await items.nth(-2).innerText(), await items.nth(9).count()];
