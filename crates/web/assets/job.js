// A job: progress as it happens, cancel, and what came out.

import { announce, ask } from './app.js';

const job = document.getElementById('job');
const id = job.dataset.id;
const grouped = (n) => Math.round(n).toLocaleString('en-US');

/** Seconds in words. */
export function spell(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Progress in one line. */
export function facts(at) {
  if (at.phase === 'waiting') return 'waiting for a free worker';
  const parts = [at.task ?? 'working'];
  if (at.share !== null) parts.push(`${Math.round(at.share * 100)} %`);
  else if (at.done) parts.push(`${grouped(at.done)} done`);
  if (at.nodes) {
    parts.push(`${grouped(at.nodes)} positions`);
    if (at.seconds > 0.5) parts.push(`${grouped(at.nodes / at.seconds)} a second`);
  }
  if (at.seconds !== null) parts.push(spell(at.seconds));
  if (at.left !== null && at.left > 1) parts.push(`about ${spell(at.left)} left`);
  return parts.join(' · ');
}

async function finished() {
  document.getElementById('progress').hidden = true;
  document.getElementById('result').innerHTML = await (await fetch(`/jobs/${id}/result`)).text();
  announce('the job has ended');
  document.dispatchEvent(new CustomEvent('agon:result'));
  ready();
}

function ready() {
  for (const button of document.querySelectorAll('[data-check]')) {
    button.addEventListener('click', async () => {
      try {
        const started = await ask('/api/jobs', { kind: 'check', job: Number(button.dataset.check) });
        location.href = started.page;
      } catch (error) {
        button.after(` ${error.message}`);
      }
    });
  }
}

if (job.dataset.over === 'true') ready();
else {
  const bar = document.getElementById('bar');
  const source = new EventSource(`/api/jobs/${id}/events`);
  source.addEventListener('progress', (event) => {
    const at = JSON.parse(event.data);
    document.getElementById('facts').textContent = facts(at);
    if (at.share === null) bar.removeAttribute('value');
    else bar.value = at.share;
  });
  source.addEventListener('over', () => {
    source.close();
    finished();
  });
  document.getElementById('cancel').addEventListener('click', (event) => {
    event.target.disabled = true;
    ask(`/api/jobs/${id}/cancel`, {});
  });
}
