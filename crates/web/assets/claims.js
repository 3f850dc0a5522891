// The claims page: filter claims, recompute one or all, and show verdicts as they arrive.

import { address, ask, notice } from './app.js';
import { follow } from './stream.js';

const $ = (id) => document.getElementById(id);
const SIGNS = { reproduced: '✓', corrected: '✗', answered: '→', differs: '≠' };
const articles = [...document.querySelectorAll('article.claim')];
const place = document.querySelector('.claims > .notice');
let running = null;

function show(article, row) {
  if (article.dataset.verdict === row.verdict && article.dataset.seconds === `${row.seconds}`) return;
  article.dataset.verdict = row.verdict;
  article.dataset.seconds = row.seconds;
  const word = article.querySelector('.verdict-word');
  word.textContent = `${SIGNS[row.verdict] ?? '~'} ${row.verdict}${row.as_recorded ? '' : ' (differs from the recorded verdict)'}`;
  for (const [name, text] of [['computed', row.computed], ['note', row.note]]) {
    if (!text) continue;
    for (const part of article.querySelectorAll(`.${name}`)) part.hidden = !text;
    article.querySelector(`dd.${name}`).textContent = text;
  }
}

/** The filter is in the address, so that it can be sent and kept. */
const asked = new URLSearchParams(location.search);
for (const name of ['document', 'verdict']) {
  const wanted = asked.get(name) ?? '';
  if ([...$(name).options].some((option) => option.value === wanted)) $(name).value = wanted;
}

function filter() {
  history.replaceState(null, '', address('/claims', { document: $('document').value, verdict: $('verdict').value }) + location.hash);
  for (const article of articles) {
    const right = !$('document').value || article.dataset.id.startsWith(`${$('document').value}/`);
    const wish = $('verdict').value;
    const verdict = article.dataset.verdict;
    article.hidden = !(right && (!wish || (wish === 'none' ? !verdict : (verdict ?? article.dataset.recorded) === wish)));
  }
  for (const section of document.querySelectorAll('.document')) {
    section.hidden = ![...section.querySelectorAll('article')].some((article) => !article.hidden);
    // Whoever filters, or follows a link to a claim, wants to see claims.
    const pointed = location.hash && section.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`);
    if ($('document').value || $('verdict').value || pointed) section.open = true;
    if (pointed) pointed.scrollIntoView();
  }
}

async function refresh() {
  const rows = await ask('/api/verdicts');
  for (const article of articles) if (rows[article.dataset.id]) show(article, rows[article.dataset.id]);
}

async function run(ids) {
  notice(place, '');
  try {
    const { id } = await ask('/api/jobs', { kind: 'claims', ids });
    running = id;
    $('progress').hidden = false;
    let done = -1;
    follow(`/api/jobs/${id}/events`, {
      progress(at) {
        $('facts').textContent = at.total ? `${at.done} of ${at.total} recomputed · ${Math.round(at.seconds)} s` : 'Waiting for a free worker';
        $('bar').value = at.share ?? 0;
        if (at.done !== done) refresh();
        done = at.done;
      },
      async over(at) {
        $('progress').hidden = true;
        running = null;
        await refresh();
        if (at.why) notice(place, at.why);
      },
    });
  } catch (error) {
    notice(place, error.message);
  }
}

$('document').addEventListener('change', filter);
$('verdict').addEventListener('change', filter);
$('run-all').addEventListener('click', () => {
  const wanted = articles.filter((article) => !article.hidden && ($('slow').checked || article.dataset.slow === 'false'));
  if (wanted.length) run(wanted.map((article) => article.dataset.id));
});
$('cancel').addEventListener('click', () => running && ask(`/api/jobs/${running}/cancel`, {}));
for (const button of document.querySelectorAll('[data-run]')) button.addEventListener('click', () => run([button.dataset.run]));
await refresh();
filter();
