// The gallery: search, facts about the games, and recent games.

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
  const cards = recent.slice(0, 6).map((game) => make('li', {}, make('a', { href: game.url },
    make('span', { class: 'small-board', 'aria-hidden': 'true' }),
    make('span', {}, make('strong', {}, game.title), `${game.plies} ${game.plies === 1 ? 'ply' : 'plies'} · ${game.status}`))));
  document.getElementById('recent').append(...cards);
  cards.forEach(async (card, i) => {
    try {
      const { svg } = await ask(address('/api/node', { game: recent[i].game, pos: recent[i].pos, joins: recent[i].joins }));
      card.querySelector('.small-board').innerHTML = svg.replace(/<g class="hits">.*<\/g><\/svg>/s, '</svg>');
    } catch {
      // A record of another version: it is shown without a picture.
    }
  });
}

for (const place of document.querySelectorAll('.known')) {
  const fact = place.querySelector('.fact');
  try {
    const known = await ask(address('/api/known', { game: place.dataset.game }));
    fact.textContent = known.text;
    fact.title = known.source;
    fact.className = `fact v-${known.value ?? 'unknown'}`;
    place.querySelector('.size').textContent = known.size;
  } catch {
    fact.textContent = '';
  }
}
