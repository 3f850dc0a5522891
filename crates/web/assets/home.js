// The gallery: search, facts about the games, and recent games.

import { address, ask, make, memory } from './app.js';
import { numbered } from './tree.js';

const cards = [...document.querySelectorAll('#gallery .card')];
const groups = [...document.querySelectorAll('#gallery > .group')];
const featured = document.getElementById('featured');

// The first click on the board at the front door is the first move of a game.
if (featured) {
  const moves = new Map(JSON.parse(featured.dataset.moves).map((move) => [String(move.place), move]));
  const play = (event) => {
    const to = moves.get(event.target.closest?.('.hit')?.dataset.place)?.address.replace(/second=[^&]*/, `second=${encodeURIComponent(memory.get('level', 'level:2'))}`);
    if (to && (event.type === 'click' || event.key === 'Enter' || event.key === ' ')) location.href = to;
  };
  for (const kind of ['click', 'keydown']) featured.addEventListener(kind, play);
  for (const hit of featured.querySelectorAll('.hit')) {
    hit.classList.add('target');
    hit.setAttribute('tabindex', '0');
    hit.setAttribute('role', 'button');
    hit.setAttribute('aria-label', `Play ${moves.get(hit.dataset.place)?.move}`);
  }
}
const search = document.getElementById('search');

const nothing = document.getElementById('nothing');
let asked = 0;

/** What a name means that is in no card: a game by its code or another name, or what is nearest. */
async function find(name) {
  const ticket = (asked += 1);
  const found = await ask(address('/api/find', { name })).catch(() => null);
  if (ticket !== asked || !found) return null;
  const link = (game, title) => make('a', { class: 'button', href: `/g/${encodeURI(game)}` }, title);
  nothing.replaceChildren(...(found.game
    ? [`Open ${found.title}: `, link(found.game, found.game)]
    : [`${found.why[0].toUpperCase()}${found.why.slice(1)} `, ...found.nearest.map((game) => link(game, game))]));
  return found;
}

search.addEventListener('input', async () => {
  const letters = (text) => text.toLowerCase().replaceAll(/['’‘`_-]/g, '');
  const words = letters(search.value).split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const card of cards) {
    const told = letters(card.dataset.words);
    // Only the beginnings of words count: `chess` is not in `chessmen`.
    card.hidden = !words.every((word) => told.split(/[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word)) || told.replaceAll(' ', '').includes(words.join('')) && words.join('').length > 4);
    if (!card.hidden) shown += 1;
  }
  for (const group of groups) group.hidden = !group.querySelector('.card:not([hidden])');
  nothing.hidden = shown > 0;
  asked += 1;
  const name = search.value.trim();
  if (!name) return;
  const found = await find(name);
  // A card may fit a name that people know for another game.
  if (found?.elsewhere) nothing.hidden = false;
});

search.addEventListener('keydown', async (event) => {
  if (event.key !== 'Enter') return;
  const hits = cards.filter((card) => !card.hidden);
  if (hits.length === 1 && nothing.hidden) {
    hits[0].querySelector('a').click();
    return;
  }
  const name = search.value.trim();
  const found = name ? await find(name) : null;
  const [nearest] = found?.nearest ?? [];
  const to = found?.game ?? (found?.nearest?.length === 1 ? nearest : null);
  if (to) location.href = `/g/${encodeURI(to)}`;
});

// A game begins at the level and on the side that a person chose last.
const [level, side] = [memory.get('level', 'level:2'), memory.get('side', 'first')];
for (const play of document.querySelectorAll('.card .play')) {
  const mine = side === 'random' ? ['first', 'second'][Math.floor(Math.random() * 2)] : side;
  play.href = address(`/g/${encodeURI(play.dataset.game)}`, { [mine === 'first' ? 'second' : 'first']: level });
}
// So does the game at the front door; whoever clicks its board moves first.
for (const choice of document.querySelectorAll('.hero [data-level]')) {
  choice.classList.toggle('main', choice.dataset.level === level);
  if (side === 'second') choice.href = choice.href.replace('second=', 'first=');
}

const recent = memory.get('recent', []);
if (recent.length) {
  const cards = recent.slice(0, 6).map((game) => make('li', {}, make('a', { href: game.url },
    make('span', { class: 'small-board', 'aria-hidden': 'true' }),
    make('span', {}, make('strong', {}, game.title), `${game.plies ? numbered(game.plies) : 'start'} · ${game.status}`))));
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

/** Shows a fact about a game; returns whether there is more to find out. */
async function know(place, quick) {
  const fact = place.querySelector('.fact');
  try {
    const known = await ask(address('/api/known', { game: place.dataset.game, quick: quick || undefined }));
    fact.textContent = known.text.replace(/^(. )([a-z])(?= wins)/, (_, sign, mark) => sign + mark.toUpperCase());
    fact.title = known.source;
    fact.className = `fact v-${known.value ?? 'unknown'}`;
    place.querySelector('.source').textContent = known.source.replace(/;.*|: docs\/\S+|published: /g, '');
    place.querySelector('.size').textContent = known.size;
    return !known.complete;
  } catch {
    fact.textContent = '';
    return false;
  }
}

// First what is known at once, then what takes a moment: no game holds up another.
const places = [...document.querySelectorAll('.known')];
const open = await Promise.all(places.map((place) => know(place, true)));
for (const place of places.filter((_, i) => open[i])) await know(place, false);
