// page: late.html
try {
  await page.locator('#never').waitFor({ timeout: 300 });
} catch (error) {
  return [error.name, error.message.includes('300ms')];
}
