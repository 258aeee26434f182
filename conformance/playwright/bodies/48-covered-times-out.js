// page: covered.html
try {
  await page.locator('#under').click({ timeout: 500 });
} catch (error) {
  return [error.name, await page.locator('#log').innerText()];
}
