// page: table.html
const totals = await page.locator('tbody tr td:nth-child(2)').allTextContents();
return totals.map(Number).reduce((a, b) => a + b, 0).toFixed(2);
