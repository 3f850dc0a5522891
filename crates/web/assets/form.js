// Forms that start jobs.

import { address, ask, notice, send } from './app.js';

const form = document.getElementById('start');
form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const place = form.querySelector('.notice');
  const button = form.querySelector('[type=submit]');
  notice(place, '');
  button.disabled = true;
  const body = { kind: form.dataset.kind };
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type === 'checkbox') body[field.name] = field.checked;
    else if (field.type === 'number') body[field.name] = Number(field.value);
    else body[field.name] = field.value;
  }
  try {
    location.href = (await ask('/api/jobs', body)).page;
  } catch (error) {
    notice(place, error.message);
  } finally {
    button.disabled = false;
  }
});

form?.querySelector('[data-reload]')?.addEventListener('change', (event) => {
  location.href = address(location.pathname, { game: event.target.value.trim() });
});

const check = document.getElementById('check');
check?.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    location.href = (await send('/api/check', check.elements.file.files[0])).page;
  } catch (error) {
    notice(check.querySelector('.notice'), error.message);
  }
});
