// page: form.html
await page.getByLabel('About you').fill('two\nlines');
return [await page.evaluate(() => log.filter((line) => line.endsWith('about'))), await page.getByLabel('About you').inputValue()];
