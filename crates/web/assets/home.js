// The gallery: search, what is known, and where one left off.

import { address, ask, make, memory } from './app.js';

const cards = [...document.querySelectorAll('#gallery > .card')];
const search = document.getElementById('search');

search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const card of cards) {
    card.hidden = !words.every((word) => card.dataset.words.includes(word));
    if (!card.hidden) shown += 1;
  }
  document.getElementById('nothing').hidden = shown > 0;
});

search.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  const hits = cards.filter((card) => !card.hidden);
  if (hits.length === 1) hits[0].querySelector('a').click();
  else if (search.value.trim()) location.href = `/g/${encodeURI(search.value.trim())}`;
});

const recent = memory.get('recent', []);
if (recent.length) {
  document.getElementById('continue').hidden = false;
  document.getElementById('recent').append(...recent.slice(0, 6).map((game) =>
    make('li', {}, make('a', { href: game.url }, make('strong', {}, game.title), ` ${game.plies} plies · ${game.status}`))));
}

for (const place of document.querySelectorAll('.known')) {
  try {
    const known = await ask(address('/api/known', { game: place.dataset.game }));
    const fact = place.querySelector('.fact');
    fact.textContent = known.text;
    fact.className = `fact v-${known.value ?? 'unknown'}`;
  } catch {
    // Nothing known, nothing shown.
  }
}
