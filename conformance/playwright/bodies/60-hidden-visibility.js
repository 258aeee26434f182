// page: hidden.html
const seen = {};
for (const id of ['plain', 'none', 'invisible', 'clear', 'empty', 'sized', 'aria', 'nowhere']) seen[id] = [await page.isVisible('#' + id), await page.locator('#' + id).isHidden()];
return seen;
