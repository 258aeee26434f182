// page: list.html
return [await page.locator('text=call bob').count(), await page.locator('text="call bob"').count(), await page.locator('li:has-text("report")').count(), await page.locator('li >> text=Bob').innerText()];
