// page: hidden.html
const text = page.getByText('Text with');
return [await text.innerText(), await text.textContent(), await text.innerHTML(), await page.locator('#spaces').innerText(), await page.locator('#none').textContent(), await page.getByText('many spaces here').count()];
