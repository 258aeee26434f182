// page: nav-a.html
try {
  await page.goto('not a url');
} catch (error) {
  return [error.message.startsWith('page.goto: '), await page.title()];
}
