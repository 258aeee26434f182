// page: nav-a.html
const ok = await page.goto(new URL('nav-b.html', page.url()).href, { waitUntil: 'domcontentloaded' });
const missing = await page.goto(new URL('missing.html', page.url()).href);
return [ok.status(), ok.ok(), missing.status(), missing.ok(), await page.goto('about:blank')];
