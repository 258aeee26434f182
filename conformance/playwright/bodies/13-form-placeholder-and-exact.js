// page: form.html
return [await page.getByPlaceholder('ada').count(), await page.getByPlaceholder('ada', { exact: true }).count(), await page.getByPlaceholder(/^Ada/).count(), await page.getByLabel('name').count()];
