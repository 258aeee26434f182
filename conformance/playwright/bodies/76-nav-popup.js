// page: nav-a.html
const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'In a new tab' }).click()]);
await popup.waitForLoadState();
return [await popup.title(), await page.title(), context.pages().length, popup !== page];
