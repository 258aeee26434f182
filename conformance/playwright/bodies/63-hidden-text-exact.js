// page: hidden.html
return [await page.getByText('Read more').count(), await page.getByText('Read more', { exact: true }).count(), await page.getByRole('link', { name: 'read more' }).count(), await page.getByRole('link', { name: 'Read more', exact: true }).count(), await page.getByTitle('title').getAttribute('href'), await page.locator('button:visible').count()];
