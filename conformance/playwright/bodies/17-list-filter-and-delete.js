// page: list.html
await page.getByRole('listitem').filter({ hasText: 'Call' }).getByRole('button').click();
return [await page.locator('li .text').allInnerTexts(), await page.locator('#count').textContent()];
