// All jobs: remove them, cancel them.

import { ask, notice } from './app.js';

const place = document.querySelector('.narrow > .notice');

async function all(buttons, act) {
  try {
    for (const id of buttons) await ask(`/api/jobs/${id}/${act}`, {});
    location.reload();
  } catch (error) {
    notice(place, error.message);
  }
}

for (const button of document.querySelectorAll('[data-remove]')) button.addEventListener('click', () => all([button.dataset.remove], 'remove'));
for (const button of document.querySelectorAll('[data-cancel]')) button.addEventListener('click', () => all([button.dataset.cancel], 'cancel'));
document.getElementById('remove-all')?.addEventListener('click', () => {
  all([...document.querySelectorAll('.jobs [data-remove]')].map((button) => button.dataset.remove), 'remove');
});
