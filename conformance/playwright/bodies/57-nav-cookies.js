// page: nav-b.html
const cookies = await context.cookies();
return cookies.map(({ name, value, path, httpOnly, secure }) => ({ name, value, path, httpOnly, secure }));
