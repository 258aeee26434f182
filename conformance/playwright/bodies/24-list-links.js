// page: list.html
const nav = page.getByRole('navigation', { name: 'Filters' });
await nav.getByRole('link', { name: 'Done' }).click();
return [await nav.getByRole('link').allInnerTexts(), new URL(page.url()).hash, await page.getByAltText('green').isVisible()];
