// page: late.html
const results = await Promise.all([page.locator('#spinner').isVisible(), page.title(), page.locator('#ticks').count()]);
const first = await Promise.race([page.waitForTimeout(50).then(() => 'short'), page.waitForTimeout(2000).then(() => 'long')]);
return [results[1], results[2], first];
