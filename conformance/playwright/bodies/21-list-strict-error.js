// page: list.html
try {
  await page.getByRole('listitem').click({ timeout: 1000 });
  return 'clicked';
} catch (error) {
  return [error.name, error.message.includes('strict mode violation'), error.message.includes('3 elements')];
}
