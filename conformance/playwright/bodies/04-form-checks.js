// page: form.html
const news = page.getByLabel('Newsletter');
const seen = [await news.isChecked()];
await news.uncheck();
seen.push(await news.isChecked());
await news.setChecked(true);
await news.check();
seen.push(await news.isChecked());
return seen;
