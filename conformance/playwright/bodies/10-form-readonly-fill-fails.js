// page: form.html
try {
  await page.getByLabel('Locked').fill('x', { timeout: 500 });
  return 'filled';
} catch (error) {
  return [error.name, await page.getByLabel('Locked').inputValue()];
}
