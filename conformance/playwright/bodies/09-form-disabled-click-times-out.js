// page: form.html
try {
  await page.getByRole('button', { name: 'Import' }).click({ timeout: 500 });
  return 'clicked';
} catch (error) {
  return [error.name, error.message.startsWith('locator.click: ')];
}
