// page: list.html
try {
  await page.evaluate(() => { throw new Error('inside'); });
} catch (error) {
  return [error instanceof Error, error.message.includes('inside')];
}
