// page: dialog.html
const inner = page.getByText('Hidden until opened');
const before = await inner.isVisible();
await page.getByText('More', { exact: true }).click();
return [before, await inner.isVisible()];
