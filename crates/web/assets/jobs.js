// The list of jobs: refresh, cancel and remove them.

import { ask, notice } from './app.js';

const place = document.querySelector('.narrow > .notice');
/** The time between two refreshes, in milliseconds. */
const REFRESH_MS = 2000;

async function all(ids, act) {
  try {
    for (const id of ids) await ask(`/api/jobs/${id}/${act}`, {});
  } catch (error) {
    notice(place, error.message);
  }
  await refresh();
}

/** Fetches the page again and updates the list if it has changed. */
async function refresh() {
  const text = await fetch('/jobs').then((answer) => answer.text()).catch(() => '');
  const now = new DOMParser().parseFromString(text, 'text/html').querySelector('#kept-jobs');
  const shown = document.getElementById('kept-jobs');
  if (now && now.innerHTML !== shown.innerHTML) shown.innerHTML = now.innerHTML;
}

document.addEventListener('click', (event) => {
  const { remove, cancel } = event.target.dataset;
  if (remove) all([remove], 'remove');
  if (cancel) all([cancel], 'cancel');
  if (event.target.id === 'remove-all') all([...document.querySelectorAll('.jobs [data-remove]')].map((button) => button.dataset.remove), 'remove');
});

setInterval(() => {
  if (!document.hidden && document.querySelector('.jobs [data-over=false]')) refresh();
}, REFRESH_MS);
