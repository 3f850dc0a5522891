// Play and analyse. The address is the position; the tree of everything tried lives in the page.

import { address, announce, ask, make, memory, notice } from './app.js';
import { Board, preference } from './board.js';
import { drawHistory } from './history.js';
import { setUp } from './setup.js';
import { Node } from './tree.js';

const $ = (id) => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const game = data.game;
const asked = new URLSearchParams(location.search);

const state = {
  root: null,
  at: null,
  view: memory.get(`view ${game}`, 0),
  values: asked.has('values') || memory.get('values', false),
  text: memory.get('text', 0),
  players: ['human', 'human'],
  thinking: 0,
};

const board = new Board($('board'), $('menu'), (mv) => play(mv));
const log = (text) => {
  $('log').append(make('li', {}, text));
  while ($('log').childElementCount > 200) $('log').firstElementChild.remove();
};
const trouble = (error) => {
  notice($('notice'), error.message);
  log(error.message);
};

/** Builds the tree from a replayed line. */
function plant(steps) {
  state.root = new Node(null, null, steps[0]);
  let node = state.root;
  for (const step of steps.slice(1)) node = node.child(step.mv, step);
  return node;
}

function here(node = state.at) {
  const pos = state.root.pos === data.start ? '' : state.root.pos;
  return address(`/g/${encodeURI(game)}`, { pos, moves: node.moves().join(' ') });
}

async function look(node) {
  if (node.full?.view !== state.view) {
    const full = await ask(address('/api/node', { game, pos: node.pos, view: state.view }));
    node.full = { ...full, view: state.view };
    node.svg = full.svg;
  }
  return node.full;
}

/** Goes to a position. */
async function go(node, how = 'replace') {
  const from = state.at;
  state.at = node;
  node.prefer();
  const full = await look(node);
  if (state.at !== node) return;
  notice($('notice'), '');
  if (how === 'push') history.pushState(null, '', here());
  else if (how === 'replace') history.replaceState(null, '', here());
  const human = state.players[full.turn === 'first' ? 0 : 1] === 'human';
  board.enabled = human && !full.over;
  board.show(full.svg, full.moves, full.labels);
  if (from && from !== node) arrive(node);
  $('status').textContent = full.status;
  $('status').dataset.over = full.over;
  for (const player of document.querySelectorAll('.player')) {
    player.classList.toggle('to-move', !full.over && player.dataset.side === full.turn);
  }
  $('caption').replaceChildren(...full.caption.map((line) => make('li', {}, line)));
  $('text').textContent = full.text;
  $('notation').value = full.pos;
  $('picture').href = address('/api/board.svg', { game, pos: full.pos, view: state.view });
  $('move').placeholder = full.over ? 'the game is over' : `type a move, like ${full.moves[0]?.mv ?? ''}`;
  navigation();
  story();
  trace();
  legal();
  keep();
  if (node.mv && from !== node) {
    const said = `${node.mv}: ${full.status}`;
    announce(said);
    if (how === 'push') log(`${node.ply}. ${said}`);
  }
  showValues();
  agent();
}

/** A short movement of what was just played. */
function arrive(node) {
  const path = node.parent?.full?.moves.find((move) => move.mv === node.mv)?.path;
  if (!path) return;
  for (const place of new Set(path)) {
    const hit = board.places[place];
    hit?.classList.add('last');
  }
  $('board').classList.remove('arrive');
  void $('board').offsetWidth;
  $('board').classList.add('arrive');
}

function navigation() {
  const end = state.at.end();
  $('counter').textContent = `${state.at.ply} / ${end.ply}`;
  for (const id of ['first', 'back']) $(id).disabled = !state.at.parent;
  for (const id of ['forth', 'last']) $(id).disabled = !state.at.children.length;
}

async function play(mv) {
  board.hideMenu();
  const node = state.at;
  try {
    const known = node.children.find((child) => child.mv === mv);
    if (known) {
      await go(known, 'push');
      return true;
    }
    const full = await ask(address('/api/play', { game, pos: node.pos, mv, view: state.view }));
    const child = node.child(full.mv, { pos: full.pos, svg: full.svg, status: full.status, turn: full.turn, over: full.over, winner: full.winner });
    child.full = { ...full, view: state.view };
    if (state.at === node) await go(child, 'push');
    return true;
  } catch (error) {
    trouble(error);
    board.cancel();
    return false;
  }
}

/** Back to where a person decides. */
function back() {
  let node = state.at.parent;
  if (!node) return;
  const humans = state.players.filter((player) => player === 'human').length;
  while (humans === 1 && node.parent && state.players[node.turn === 'first' ? 0 : 1] !== 'human') node = node.parent;
  go(node);
}

function forth() {
  let node = state.at.next();
  if (!node) return;
  const humans = state.players.filter((player) => player === 'human').length;
  while (humans === 1 && node.children.length && state.players[node.turn === 'first' ? 0 : 1] !== 'human') node = node.next();
  go(node);
}

/** The moves with their branches. */
function story() {
  const button = (node) => make('button', {
    type: 'button',
    class: node === state.at ? 'mv here' : 'mv',
    'aria-current': node === state.at ? 'step' : false,
    onclick: () => go(node),
  }, node.mv, node.bad ? make('sup', { title: 'gave the game away' }, '?') : '');
  const line = (first) => {
    const parts = [];
    for (let node = first; node; node = node.next()) {
      if (node.ply % 2 === 1 || node === first) parts.push(make('span', { class: 'no' }, `${Math.ceil(node.ply / 2)}${node.ply % 2 ? '.' : '…'}`));
      parts.push(button(node));
      const others = node === first && node.parent !== state.root ? [] : node.parent.children.filter((child) => child !== node);
      for (const other of others) parts.push(make('span', { class: 'branch' }, '(', ...line(other), ')'));
    }
    return parts;
  };
  const first = state.root.next();
  $('moves').replaceChildren(...(first ? line(first) : [make('p', { class: 'quiet-text' }, 'No move yet. Click a place on the board, or type a move.')]));
}

const bare = (svg) => svg.replace(/<g class="hits">.*<\/g><\/svg>/s, '</svg>').replace('role="group"', 'aria-hidden="true"');

/** Every position as a small board. */
function trace() {
  const line = state.at.end().line();
  $('trace').hidden = line.length < 2;
  if (line.length < 2) return;
  $('trace').replaceChildren(...line.map((node) => {
    const item = make('button', { type: 'button', class: node === state.at ? 'here' : '', onclick: () => go(node), title: node.mv ?? 'start' });
    item.innerHTML = bare(node.svg);
    item.append(make('span', {}, node.mv ? `${node.ply}. ${node.mv}` : 'start'));
    return make('li', {}, item);
  }));
  const shown = $('trace').querySelector('.here');
  if (shown) $('trace').scrollLeft = shown.offsetLeft - $('trace').clientWidth / 2 + shown.clientWidth / 2;
}

/** Every legal move as a button. */
function legal() {
  const full = state.at.full;
  const worth = new Map((state.values && state.at.worth ? state.at.worth.values : []).map((move) => [move.mv, move]));
  const sorted = [...full.moves].sort((a, b) =>
    (worth.has(b.mv) ? preference(worth.get(b.mv)) : -1) - (worth.has(a.mv) ? preference(worth.get(a.mv)) : -1));
  const items = sorted.slice(0, 300).map(({ mv }) => make('li', {}, make('button', { type: 'button', onclick: () => play(mv) },
    mv, worth.has(mv) ? make('span', { class: `v-${worth.get(mv).value}` }, ` ${worth.get(mv).sign}`) : '')));
  if (full.count > 300) items.push(make('li', {}, `and ${full.count - 300} more`));
  $('legal').replaceChildren(...items);
}

function keep() {
  if (!state.root.children.length) return;
  const others = memory.get('recent', []).filter((item) => item.game !== game);
  const end = state.at.end();
  const moves = here(end);
  memory.set('recent', [{ game, title: data.title, url: moves, plies: end.ply, status: end.full?.status ?? end.status }, ...others].slice(0, 8));
}

/** What the moves here are worth, asked for once. */
async function worthOf(node) {
  if (node.worth !== undefined) return node.worth;
  if (node.over ?? node.full?.over) return null;
  try {
    node.worth = await ask(address('/api/values', { game, pos: node.pos, seconds: $('seconds').value }));
  } catch (error) {
    node.worth = null;
    node.unknown = error.message;
  }
  return node.worth;
}

async function showValues() {
  $('values').setAttribute('aria-pressed', state.values);
  $('history').hidden = !state.values;
  const node = state.at;
  if (!state.values) {
    board.value(null);
    $('mistake').hidden = true;
    return;
  }
  $('values').classList.add('busy');
  const worth = await worthOf(node);
  $('values').classList.remove('busy');
  if (state.at !== node || !state.values) return;
  board.value(worth?.values ?? null);
  legal();
  if (!worth && node.unknown) notice($('notice'), `values: ${node.unknown}`);
  await chart();
}

/** The value along the game, and the first move that gave it away. */
async function chart() {
  const line = state.at.end().line();
  const node = state.at;
  for (const step of line) {
    await worthOf(step);
    if (state.at !== node) return;
  }
  const bad = drawHistory($('history'), line, state.at, data.names, go);
  const again = bad && !bad.bad;
  if (bad) bad.bad = true;
  if (again) story();
  $('mistake').hidden = !bad;
  if (bad) {
    const who = data.names[bad.parent.turn === 'first' ? 0 : 1];
    $('mistake').replaceChildren(`Move ${bad.ply}, ${bad.mv}, gave the game away for ${who}. `,
      make('button', { type: 'button', onclick: () => { go(bad.parent); announce('try another move here'); } }, 'Try again from there'));
  }
}

/** Lets an agent move when it is its turn and nothing was played here yet. */
async function agent() {
  const node = state.at;
  const full = node.full;
  const player = state.players[full.turn === 'first' ? 0 : 1];
  const ticket = (state.thinking += 1);
  if (full.over || player === 'human' || node.children.length) {
    $('status').classList.remove('busy');
    return;
  }
  $('status').textContent = `${full.status} (${player} thinks)`;
  $('status').classList.add('busy');
  const both = state.players.every((name) => name !== 'human');
  try {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const [choice] = await Promise.all([
      ask('/api/choose', { game, pos: node.pos, player, seconds: Number($('seconds').value), seed }),
      new Promise((resolve) => { setTimeout(resolve, both ? 450 : 250); }),
    ]);
    $('status').classList.remove('busy');
    if (ticket !== state.thinking || state.at !== node) return;
    if (!choice.proven && player === 'perfect') log(`${choice.mv} is not proven: no proof in time`);
    await play(choice.mv);
  } catch (error) {
    $('status').classList.remove('busy');
    if (ticket === state.thinking) trouble(error);
  }
}

async function hint() {
  const node = state.at;
  if (node.full.over) return;
  const worth = await worthOf(node);
  if (state.at !== node) return;
  if (worth?.best) {
    const best = worth.values.filter((move) => preference(move) === preference(worth.best));
    board.hint([best[0].mv]);
    const said = `${best[0].mv} is best: ${best[0].sign} ${best[0].value}${best[0].plies ? ` in ${best[0].plies}` : ''}`;
    announce(said);
    notice($('notice'), said);
    return;
  }
  try {
    const choice = await ask('/api/choose', { game, pos: node.pos, player: 'perfect', seconds: Number($('seconds').value), seed: 1 });
    if (state.at !== node) return;
    board.hint([choice.mv]);
    notice($('notice'), `${choice.mv}${choice.proven ? ' is proven' : ' seems good; there is no proof in the time given'}`);
  } catch (error) {
    trouble(error);
  }
}

/** Looks at the board from elsewhere. */
function turn(view) {
  state.view = view;
  memory.set(`view ${game}`, view);
  refresh();
}

async function refresh() {
  const line = state.at.end().line();
  if (line.length > 1) {
    const seen = await ask(address('/api/line', { game, pos: state.root.pos, moves: line.at(-1).moves().join(' '), view: state.view }));
    seen.steps.forEach((step, i) => { line[i].svg = step.svg; });
  }
  await go(state.at);
}

function showText(which) {
  state.text = which;
  memory.set('text', which);
  $('text').hidden = which === 0;
  $('bench').classList.toggle('text-only', which === 2);
  $('console').setAttribute('aria-pressed', which > 0);
  $('console').textContent = ['Text', 'Text only', 'Picture'][which];
}

async function load(steps, to) {
  const end = plant(steps);
  state.root.end().prefer();
  await go(to ?? end, 'push');
}

/** Begins at another position. */
async function begin(pos) {
  const line = await ask(address('/api/line', { game, pos, view: state.view }));
  await load(line.steps);
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    const was = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = was; }, 900);
  } catch {
    notice($('notice'), text);
  }
}

function save(name, text) {
  const link = make('a', { href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

$('first').onclick = () => go(state.root);
$('back').onclick = back;
$('forth').onclick = forth;
$('last').onclick = () => go(state.at.end());
$('values').onclick = () => {
  state.values = !state.values;
  memory.set('values', state.values);
  showValues();
  legal();
};
$('hint').onclick = hint;
$('flip').onclick = () => turn(state.view < 4 ? 4 + ((4 - state.view) % 4) : (8 - state.view) % 4);
$('turn').onclick = () => turn(state.view < 4 ? (state.view + 1) % 4 : 4 + ((state.view + 1) % 4));
$('console').onclick = () => showText((state.text + 1) % 3);
$('typed').onsubmit = async (event) => {
  event.preventDefault();
  for (const word of $('move').value.trim().split(/\s+/)) {
    if (word && !(await play(word))) return;
  }
  $('move').value = '';
};
$('copy-pos').onclick = (event) => copy(state.at.pos, event.target);
$('copy-line').onclick = (event) => copy(state.at.moves().join(' '), event.target);
$('copy-link').onclick = (event) => copy(location.origin + here(), event.target);
$('save').onclick = async () => {
  try {
    const record = await ask(address('/api/record', { game, pos: state.root.pos, moves: state.at.moves().join(' ') }));
    save(record.name, record.text);
  } catch (error) {
    trouble(error);
  }
};
$('load').onclick = async () => {
  try {
    const read = await ask('/api/record', { game, text: $('paste').value });
    const to = address(`/g/${encodeURI(read.game)}`, { pos: read.pos, moves: read.moves.join(' ') });
    if (read.game !== game) {
      location.href = to;
      return;
    }
    const line = await ask(address('/api/line', { game, pos: read.pos, moves: read.moves.join(' '), view: state.view }));
    await load(line.steps);
  } catch (error) {
    trouble(error);
  }
};
for (const select of document.querySelectorAll('[data-player]')) {
  const side = Number(select.dataset.player);
  const wish = asked.get(['first', 'second'][side]);
  if (wish && [...select.options].some((option) => option.value === wish)) select.value = wish;
  state.players[side] = select.value;
  select.onchange = () => {
    state.players[side] = select.value;
    go(state.at);
  };
}

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
  const line = await ask(address('/api/line', { game, pos, moves: words.join(' '), view: state.view }));
  const end = plant(line.steps);
  await go(end, 'stay');
});

addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    if (board.cancel()) event.preventDefault();
    return;
  }
  if (event.target.closest('input, textarea, select, summary') || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {
    ArrowLeft: back, ArrowRight: forth, Home: () => go(state.root), End: () => go(state.at.end()),
    v: () => $('values').click(), h: hint, f: () => $('flip').click(), r: () => $('turn').click(), c: () => $('console').click(),
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
setUp($('editor'), $('setup'), board, game, () => state, begin, () => go(state.at));

const end = plant(data.line.steps);
end.full = { ...data.node, view: 0 };
showText(state.text);
if (state.view !== 0) {
  state.at = end;
  await refresh();
} else {
  await go(end);
}
if (data.line.error) notice($('notice'), data.line.error);
document.body.dataset.ready = 'yes';
