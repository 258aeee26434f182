// page: form.html
const states = {};
for (const label of ['City', 'Locked', 'Off']) {
  const field = page.getByLabel(label);
  states[label] = [await field.isEnabled(), await field.isDisabled(), await field.isEditable(), await field.isVisible()];
}
states.Import = await page.getByRole('button', { name: 'Import' }).isEnabled();
return states;
