// page: list.html
const withTitle = page.locator('li').filter({ has: page.getByTitle('Delete Write report') });
const without = page.locator('li', { hasNot: page.locator('[title$="Bob"]') });
return [await withTitle.getAttribute('class'), await without.count(), await page.locator('li').filter({ hasNotText: /milk|Bob/ }).count()];
