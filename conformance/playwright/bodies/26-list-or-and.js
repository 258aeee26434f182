// page: list.html
const either = page.getByTitle('Delete Call Bob').or(page.getByTitle('Delete Buy milk'));
const both = page.locator('button').and(page.getByTitle('Delete Call Bob'));
return [await either.count(), await both.count(), await both.getAttribute('title')];
