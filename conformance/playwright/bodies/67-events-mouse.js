// page: events.html
const box = await page.locator('#pad').boundingBox();
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
await page.mouse.down();
await page.mouse.up();
await page.mouse.click(box.x + 5, box.y + 5, { button: 'middle' });
return [box, await page.evaluate(() => seen)];
