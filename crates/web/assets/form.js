// Forms that start jobs.

import { address, ask, notice, send } from './app.js';

/** The most bytes of a file that is read into a field. */
const LARGEST_FILE = 4 << 20;

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

// Players are chosen by clicking, or typed.
const players = form?.querySelector('[name=players]');
if (players) {
  const buttons = [...form.querySelectorAll('button[data-player]')];
  const given = () => players.value.split(/\s+/).filter(Boolean);
  const show = () => buttons.forEach((one) => one.setAttribute('aria-pressed', given().includes(one.dataset.player)));
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const { player } = button.dataset;
      const now = given();
      players.value = (now.includes(player) ? now.filter((one) => one !== player) : [...now, player]).join(' ');
      show();
    });
  }
  players.addEventListener('input', show);
  show();
}

/** Reads a file with games into the field of that name. */
async function take(file, name) {
  const place = form.querySelector('.notice');
  if (!file) return;
  if (file.size > LARGEST_FILE) return notice(place, `${file.name} has ${file.size} bytes: expected at most ${LARGEST_FILE}`);
  notice(place, '');
  form.elements[name].value = await file.text();
}

form?.querySelector('[data-into]')?.addEventListener('change', (event) => take(event.target.files[0], event.target.dataset.into));
if (form?.dataset.drop) {
  // A file dropped anywhere on the page is meant for the form.
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0], form.dataset.drop);
  });
}

const check = document.getElementById('check');
check?.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    location.href = (await send('/api/check', check.elements.file.files[0])).page;
  } catch (error) {
    notice(check.querySelector('.notice'), error.message);
  }
});
