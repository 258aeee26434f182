// page: hidden.html
return [await page.getByRole('button').count(), await page.getByRole('button', { includeHidden: true }).count(), await page.getByRole('button', { pressed: true }).innerText(), await page.getByRole('button', { expanded: false }).innerText(), await page.getByRole('button', { name: 'Close window' }).innerText()];
