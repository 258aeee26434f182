// page: table.html
return [await page.locator('role=button[name="Edit"]').count(), await page.locator('tr:has(td:text-is("paid"))').count().catch(() => 'no'), await page.getByRole('cell', { name: 'open', exact: true }).count()];
