// The play page: the parts together, the buttons around the board, and the keys.

import { address, announce, ask, make, memory, notice } from './app.js';
import { agent, choosePlayer, machines } from './machines.js';
import { legal, navigation, refresh, story, trace } from './moves.js';
import { keep, keptStory, remark, showTags } from './record.js';
import { setUp } from './setup.js';
import { knock } from './sound.js';
import { $, data, game, log, named, showError, state } from './state.js';
import { hint, learn, reasons, showWorth, toggleWhy } from './study.js';
import { recycle, trays } from './trays.js';
import { arrivals, back, begin, board, forth, go, plant, play } from './walk.js';

/** The position in words. */
function describe(node) {
  const { full } = node;
  // A player that promises proven moves says when one is not.
  $('status').textContent = node.unproven && !full.over ? `${full.status} · the last move is not proven` : full.status;
  $('status').dataset.over = full.over;
  for (const player of document.querySelectorAll('.player')) {
    player.classList.toggle('to-move', !full.over && player.dataset.side === full.turn);
  }
  $('caption').replaceChildren(...full.caption.map((line) => make('li', {}, line)));
  $('text').textContent = full.text;
  $('notation').value = full.pos;
  $('picture').href = address('/api/board.svg', { game, pos: full.pos, view: state.view, joins: node.joins });
  $('move').placeholder = full.over ? 'The game is over' : `Type a move, such as ${full.moves[0]?.mv ?? ''}`;
}

/** Says the move that led here, and lets it sound. */
function tell(node, from, how) {
  if (!node.mv || from === node) return;
  const said = `${node.mv}: ${node.full.status}`;
  announce(said);
  if (from?.children.includes(node)) knock();
  if (how === 'push') log(`${node.number()} ${said}`);
}

/** The end of a game: who won, seen by the person who played. */
function ending(node, from) {
  const { full } = node;
  const people = state.players.map((player) => player === 'human');
  $('end').hidden = !full.over;
  if (!full.over) return;
  const alone = people[0] !== people[1];
  const mine = people[0] ? 'first' : 'second';
  $('result').textContent = !full.winner ? 'A draw' : alone ? (full.winner === mine ? 'You won' : 'You lost') : `${named(full.winner)} wins`;
  const said = full.winner ? `${named(full.winner)} wins` : 'Nobody wins';
  $('ending').textContent = `${said}: ${full.how ?? full.status}, move ${Math.ceil(state.at.ply / 2)}.`;
  $('swap').hidden = state.players[0] === state.players[1];
  $('turning').disabled = node.ply < 2;
  $('puzzles').href = address('/puzzles', { game, pos: state.root.pos === data.start ? '' : state.root.pos, moves: node.moves().join(' ') });
  // Whoever just ended the game sees how it ended.
  if (from && from !== node && node.parent === from) $('end').scrollIntoView({ block: 'nearest' });
}

/** Shows the board rotated or flipped. */
function turn(view) {
  state.view = view;
  memory.set(`view ${game}`, view);
  refresh();
}

function showText(which) {
  state.text = which;
  memory.set('text', which);
  $('text').hidden = which === 0;
  $('bench').classList.toggle('with-text', which === 1);
  $('bench').classList.toggle('text-only', which === 2);
  $('console').setAttribute('aria-pressed', which > 0);
  $('console').textContent = ['Text', 'Text only', 'Picture'][which];
}

$('first').onclick = () => go(state.root);
$('back').onclick = back;
$('forth').onclick = forth;
$('last').onclick = () => go(state.at.end());
$('values').onclick = () => {
  state.values = !state.values;
  memory.set('values', state.values);
  showWorth();
  legal();
};
$('hint').onclick = hint;
$('why').onclick = () => toggleWhy();
$('rematch').onclick = () => begin(data.start);
$('turning').onclick = learn;
$('swap').onclick = async () => {
  const selects = [...document.querySelectorAll('[data-player]')];
  const [first, second] = selects.map((select) => select.value);
  [second, first].forEach((player, i) => choosePlayer(selects[i], player));
  await begin(data.start);
};
$('learn').onclick = learn;
$('again').onclick = () => begin(data.start);
$('flip').onclick = () => turn(state.view < 4 ? 4 + ((4 - state.view) % 4) : (8 - state.view) % 4);
$('turn').onclick = () => turn(state.view < 4 ? (state.view + 1) % 4 : 4 + ((state.view + 1) % 4));
$('console').onclick = () => {
  showText((state.text + 1) % 3);
  $('log-box').open = state.text > 0;
};
$('notice').onclick = () => notice($('notice'), '');
$('typed').onsubmit = async (event) => {
  event.preventDefault();
  for (const word of $('move').value.trim().split(/\s+/)) {
    if (word && !(await play(word))) return;
  }
  $('move').value = '';
};
$('road').onclick = () => {
  board.roads = !board.roads;
  $('road').setAttribute('aria-pressed', board.roads);
  board.paint();
};

addEventListener('popstate', async () => {
  const query = new URLSearchParams(location.search);
  const words = (query.get('moves') ?? '').split(/\s+/).filter(Boolean);
  const pos = query.get('pos') ?? data.start;
  if (pos === state.root.pos) {
    let node = state.root;
    for (const word of words) node = node?.children.find((child) => child.mv === word);
    if (node) {
      await go(node, 'stay');
      return;
    }
  }
  // Another game, with its variations: the server reads them.
  location.reload();
});

addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (board.cancel()) event.preventDefault();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !event.target.closest('input, textarea')) {
    event.preventDefault();
    back();
    return;
  }
  if (event.target.closest('input, textarea, select, summary, [popover]') || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {
    ArrowLeft: back, ArrowRight: forth, Home: () => go(state.root), End: () => go(state.at.end()),
    n: () => $('again').click(), v: () => $('values').click(), w: () => toggleWhy(), h: hint, '?': () => $('keys').showPopover(), o: () => $('road').click(), f: () => $('flip').click(), r: () => $('turn').click(), c: () => $('console').click(),
    ' ': machines() && !event.target.closest('button, a, [role=button]') ? () => $('machine-run').click() : undefined,
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

$('variant').onsubmit = (event) => {
  event.preventDefault();
  const parts = [];
  for (const field of $('variant').querySelectorAll('[data-default]')) {
    const value = field.value.trim() || field.dataset.default;
    if (field.dataset.positional === 'true') parts.push(value);
    else if (value !== field.dataset.default) parts.push(`${field.name}=${value}`);
  }
  const family = $('variant').dataset.family;
  location.href = `/g/${encodeURI(parts.length ? `${family}:${parts.join(',')}` : family)}`;
};
$('rules').addEventListener('toggle', async (event) => {
  if (event.newState !== 'open' || $('pictures').childElementCount) return;
  try {
    const { pictures } = await ask(address('/api/rules', { game }));
    $('pictures').replaceChildren(...pictures.map(({ svg, says }) => {
      const item = make('li', {});
      item.innerHTML = svg;
      item.append(make('p', {}, says));
      return item;
    }));
  } catch (error) {
    showError(error);
  }
});

setUp($('editor'), $('setup'), board, game, data.names, () => state, begin, () => go(state.at));

// What is shown at every position, in this order.
arrivals.push(
  (node) => trays(node.full),
  recycle,
  describe,
  showTags,
  navigation,
  story,
  trace,
  legal,
  keep,
  remark,
  tell,
  ending,
  reasons,
  showWorth,
  () => agent(),
);
const end = plant(data.line.steps, data.story ?? await keptStory());
end.full = { ...data.node, view: 0 };
showText(state.text);
// On wide screens the legal moves are open from the start.
if (matchMedia('(min-width: 2300px)').matches) $('legal').closest('details').open = true;
if (state.view !== 0) {
  state.at = end;
  await refresh();
} else {
  await go(end);
}
if (data.line.error || data.untold) notice($('notice'), data.line.error ?? data.untold);
document.body.dataset.ready = 'yes';
