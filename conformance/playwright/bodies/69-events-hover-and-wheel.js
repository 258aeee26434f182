// page: events.html
await page.locator('#tip').hover();
const shown = await page.locator('#menu').isVisible();
await page.mouse.move(50, 500);
const after = await page.locator('#menu').isVisible();
await page.mouse.wheel(0, 400);
await page.waitForFunction(() => window.scrollY > 0);
await page.waitForTimeout(300);
return [shown, after, await page.evaluate(() => window.scrollY)];
