// page: late.html
const found = await page.waitForFunction((wanted) => Number(document.getElementById('ticks').textContent) >= wanted, 5);
return [await found.jsonValue(), await page.locator('#ticks').innerText()];
