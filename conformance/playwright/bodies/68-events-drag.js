// page: events.html
await page.locator('#box').dragTo(page.locator('#bin'));
await page.mouse.move(5, 5);
return await page.evaluate(() => seen);
