// page: dialog.html
await page.click('#open');
try {
  await page.getByRole('button', { name: 'Accept' }).click({ timeout: 700 });
  return 'clicked';
} catch (error) {
  return [error.name, await page.locator('#cookie').isVisible()];
}
