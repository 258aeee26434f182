// page: table.html
const rows = [];
for (const row of await page.locator('tbody tr').all()) rows.push(await row.getByRole('cell').allInnerTexts());
console.log(rows.length, rows[0]);
return rows.map((row) => row.slice(0, 3));
