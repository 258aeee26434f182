// page: table.html
return [await page.getByRole('heading').allInnerTexts(), await page.getByRole('heading', { level: 2 }).count(), await page.getByRole('heading', { name: 'week' }).count(), await page.getByRole('columnheader').count(), await page.getByRole('table', { name: 'Orders of the week' }).count()];
