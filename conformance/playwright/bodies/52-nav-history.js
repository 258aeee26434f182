// page: nav-a.html
await page.goto(new URL('nav-b.html', page.url()).href);
const back = await page.goBack();
const title = await page.title();
await page.goForward();
return [back.status(), title, await page.title(), await page.goForward()];
