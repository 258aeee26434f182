// page: edit.html
const editor = page.getByRole('textbox', { name: 'Document' });
await editor.fill('Replaced');
await editor.press('End');
await page.keyboard.type(' and more');
return [await editor.innerText(), await editor.isEditable()];
