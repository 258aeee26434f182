// page: events.html
const whole = await page.screenshot();
const part = await page.locator('#pad').screenshot();
const size = (png) => [png.readUInt32BE ? png.readUInt32BE(16) : (png[18] << 8) | png[19], png.readUInt32BE ? png.readUInt32BE(20) : (png[22] << 8) | png[23]];
return [size(whole), size(part), page.viewportSize(), whole[1] === 80];
