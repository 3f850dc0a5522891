// The page of a job: live progress, cancellation, live games and the result.

import { announce, ask, notice } from './app.js';
import { Line, lines } from './line.js';
import { follow } from './stream.js';
import { numbered } from './tree.js';

const $ = (id) => document.getElementById(id);
const job = $('job');
const id = job.dataset.id;
const watching = job.dataset.live === 'true';
const grouped = (n) => Math.round(n).toLocaleString('en-US');

/** A duration in words. */
export function spell(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** The progress of a job in one line. */
export function facts(at) {
  if (at.phase === 'waiting') return 'Waiting for a free worker';
  const parts = [at.task ?? 'working'];
  if (at.share !== null) parts.push(`${Math.floor(at.share * 100)} %`);
  if (at.count !== null) {
    parts.push(`${grouped(at.count)} ${at.unit}`);
    if (at.rate > 0) parts.push(`${at.rate < 10 ? at.rate.toFixed(1) : grouped(at.rate)} per second`);
  } else if (at.share === null && at.done) parts.push(`${grouped(at.done)} done`);
  if (at.seconds !== null) parts.push(spell(at.seconds));
  if (at.left !== null && at.left > 1) parts.push(`about ${spell(at.left)} left`);
  return parts.join(' · ');
}

let shown = null;
let asking = false;

async function fetched() {
  const answer = await fetch(`/jobs/${id}/result`);
  if (answer.ok) $('result').innerHTML = await answer.text();
  ready();
}

/** Updates the intermediate result, for jobs that have one. */
async function stand(at) {
  if (!watching || asking || at.done === shown) return;
  asking = true;
  shown = at.done;
  await fetched();
  setTimeout(() => { asking = false; }, 1000);
}

async function finished() {
  $('progress').hidden = true;
  await fetched();
  if (screen && !replaying) $('watch').hidden = true;
  $('watch-live')?.setAttribute('hidden', '');
  announce('The job has ended.');
  document.dispatchEvent(new CustomEvent('agon:result'));
}

const screen = watching ? new Line($('screen')) : null;
let table = 0;
let replaying = false;

/** Shows a move of a live game. */
function board(at) {
  if (replaying) return;
  $('watch').hidden = false;
  screen.screen.innerHTML = at.svg;
  $('watch').dataset.ply = at.ply;
  $('watch').dataset.id = at.id;
  $('watch-title').textContent = `Game ${at.id + 1}: ${at.players.join(' – ')}`;
  screen.status.textContent = `${at.mv ? `${numbered(at.ply)} ${at.mv} · ` : ''}${at.status}`;
  choices(at.tables);
}

/** One button for each table. */
function choices(tables) {
  const place = $('watch-tables');
  place.hidden = tables.length < 2;
  while (place.children.length < tables.length) {
    const number = place.children.length;
    const button = document.createElement('button');
    button.type = 'button';
    button.addEventListener('click', () => {
      table = number;
      live();
    });
    place.append(button);
  }
  tables.forEach((players, number) => {
    const button = place.children[number];
    button.textContent = `Table ${number + 1}`;
    button.title = players.join(' – ');
    button.setAttribute('aria-pressed', number === table);
  });
}

function live() {
  replaying = false;
  screen.stop();
  screen.buttons.hidden = true;
  stream?.again();
}

async function replay(button) {
  replaying = true;
  $('watch').hidden = false;
  $('watch-tables').hidden = true;
  screen.buttons.hidden = false;
  $('watch-live').hidden = job.dataset.over === 'true' || $('progress').hidden;
  const item = button.closest('li');
  $('watch-title').textContent = `Game ${item.value}: ${item.querySelector('a').textContent}`;
  $('watch').scrollIntoView({ block: 'nearest' });
  await screen.load($('watch').dataset.game, button.dataset.from, button.dataset.replay);
  screen.go('run');
}

async function act(button, path, body) {
  try {
    location.href = (await ask(path, body)).page;
  } catch (error) {
    button.after(` ${error.message}`);
  }
}

/** Activates the replays and buttons of the result. */
function ready() {
  lines($('result'));
  for (const button of $('result').querySelectorAll('[data-check]')) {
    button.addEventListener('click', () => act(button, '/api/jobs', { kind: 'check', job: Number(button.dataset.check) }));
  }
  for (const button of $('result').querySelectorAll('[data-again]')) {
    button.addEventListener('click', () => act(button, `/api/jobs/${id}/again`, {}));
  }
}

$('result').addEventListener('click', (event) => {
  const button = event.target.closest('[data-replay]');
  if (button) replay(button);
});
$('watch-live')?.addEventListener('click', live);

let stream = null;
ready();
if (job.dataset.over !== 'true') {
  const bar = $('bar');
  const cancel = $('cancel');
  stream = follow(() => `/api/jobs/${id}/events${watching ? `?watch=${table}` : ''}`, {
    progress(at) {
      $('facts').textContent = facts(at);
      notice($('note'), at.note);
      $('found').hidden = !at.found;
      if (at.found && $('found').textContent !== at.found) $('found').textContent = at.found;
      if (at.share === null) bar.removeAttribute('value');
      else bar.value = at.share;
      stand(at);
    },
    board,
    over: finished,
    async lost(gone) {
      cancel.disabled = gone;
      if (!gone) return;
      $('facts').textContent = 'Lost connection to the server. Reconnecting …';
      const answer = await fetch(`/api/jobs/${id}`).catch(() => null);
      if (answer?.status !== 404) return;
      stream.stop();
      $('facts').textContent = 'This job was removed.';
    },
  });
  cancel.addEventListener('click', () => {
    cancel.disabled = true;
    ask(`/api/jobs/${id}/cancel`, {}).catch((error) => notice($('note'), error.message));
  });
}
