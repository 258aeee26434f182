// page: events.html
const pad = page.locator('#pad');
await pad.click();
await pad.dblclick();
await pad.click({ button: 'right' });
await pad.click({ modifiers: ['Shift'] });
return await page.evaluate(() => seen);
