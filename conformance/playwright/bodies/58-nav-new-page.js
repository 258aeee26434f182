// page: nav-a.html
const second = await context.newPage();
await second.goto(new URL('nav-b.html', page.url()).href);
const seen = [context.pages().length, await second.title(), await page.title(), page.isClosed()];
await second.close();
return [...seen, second.isClosed(), context.pages().length];
