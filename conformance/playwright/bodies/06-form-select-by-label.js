// page: form.html
const picked = await page.locator('#country').selectOption({ label: 'Japan' });
const byIndex = await page.selectOption('#country', { index: 1 });
return { picked, byIndex, now: await page.locator('#country').inputValue() };
