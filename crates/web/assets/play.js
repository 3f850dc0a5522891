// Play and analyse. The address names the position; the tree of all moves tried is held in memory.

import { address, announce, ask, make, memory, notice } from './app.js';
import { Board, kind, preference, share, short, verdict } from './board.js';
import { arrange, rowsAfter, rowsOf } from './heaps.js';
import { drawHistory } from './history.js';
import { Lesson, describe, only, slip, slips } from './lesson.js';
import { setUp } from './setup.js';
import { knock } from './sound.js';
import { Node, storyOf, storyText } from './tree.js';
import { Why, bare } from './why.js';

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
  lesson: null,
  /** Whether the person looks at lines of play: computer players wait. */
  studying: false,
  /** Whether two computer players wait for the next step. */
  paused: false,
  /** What the game says about itself, such as the names of the players, and its result as written. */
  tags: [],
  result: '',
};
/** The longest story that a link can hold. */
const LONGEST_LINK = 24000;
/** Tells the server which page its players belong to. */
const page = `${Date.now().toString(36)}-${Math.floor(Math.random() * 2 ** 40).toString(36)}`;
const side = (turn) => (turn === 'first' ? 0 : 1);

const board = new Board($('board'), $('menu'), (mv) => play(mv));
board.preview = async (mv) => (await ask(address('/api/play', { game, pos: state.at.pos, mv, view: state.view }))).svg;
const log = (text) => {
  $('log').append(make('li', {}, text));
  while ($('log').childElementCount > 200) $('log').firstElementChild.remove();
};
const showError = (error) => {
  notice($('notice'), error.message);
  log(error.message);
};

const why = new Why($('why-box'), game, data.names, (moves) => visit(moves));

/** Builds the tree from a line, and from a game with its variations; returns the last node of the line. */
function plant(steps, story) {
  state.root = new Node(null, null, steps[0]);
  state.tags = story?.tags ?? [];
  state.result = story?.result ?? '';
  state.root.comment = story?.intro ?? '';
  const told = [];
  for (const { parent, mv, marks, comment, ...seen } of story?.nodes ?? []) {
    const child = (parent === null ? state.root : told[parent]).child(mv, seen);
    Object.assign(child, { marks, comment });
    told.push(child);
  }
  let node = state.root;
  for (const step of steps.slice(1)) {
    node = node.child(step.mv, step);
    node.svg ??= step.svg;
  }
  showTags();
  return node;
}

/** Names and other tags of a game that was read. */
function showTags() {
  $('tags').hidden = !state.tags.length;
  $('tags').replaceChildren(...state.tags.flatMap(([key, value]) => [make('dt', {}, key), make('dd', {}, value)]));
}

function here(node = state.at) {
  const pos = state.root.pos === data.start ? '' : state.root.pos;
  const [first, second] = state.players.map((player) => (player === 'human' ? '' : player));
  const [moves, story] = [node.moves().join(' '), storyText(state.root, state.tags)];
  const tree = story === moves || story.length > LONGEST_LINK ? '' : story;
  return address(`/g/${encodeURI(game)}`, { pos, moves, tree, first, second });
}

async function look(node) {
  if (node.full?.view !== state.view) {
    const full = await ask(address('/api/node', { game, pos: node.pos, view: state.view, joins: node.joins }));
    node.full = { ...full, view: state.view };
    node.svg = full.svg;
  }
  return node.full;
}

/** Goes to a position. */
async function go(node, how = 'replace') {
  const from = state.at;
  const seen = state.shown;
  state.at = node;
  node.prefer();
  const full = await look(node);
  if (state.at !== node) return;
  notice($('notice'), '');
  if (how === 'push') history.pushState(null, '', here());
  else if (how === 'replace') history.replaceState(null, '', here());
  const human = state.lesson || state.studying || state.players[side(full.turn)] === 'human';
  board.enabled = human && !full.over;
  layOut(node);
  board.prepare = (svg) => arrange(svg, node.rows, node.heaps);
  board.show(full.svg, full.moves, full.labels, seen === state.view && from !== node ? between(from, node) : null);
  state.shown = state.view;
  board.lastMove(node.path ?? []);
  // Pieces that belong to nobody have no colour of a side.
  const owners = [...board.stacks.values()].flat().map(({ owner }) => owner);
  if (owners.length) $('bench').classList.toggle('nobody', owners.every((owner) => owner === 'neutral'));
  trays(full);
  recycle(node);
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
  navigation();
  story();
  trace();
  legal();
  keep();
  remark();
  if (node.mv && from !== node) {
    const said = `${node.mv}: ${full.status}`;
    announce(said);
    if (from?.children.includes(node)) knock();
    if (how === 'push') log(`${node.number()} ${said}`);
  }
  ending();
  // In a lesson the reasons would tell what to find.
  if (state.lesson?.at === node) toggleWhy(false);
  else explain();
  showValues();
  agent();
}

/** The rows in which the heaps of a position stand, in games of heaps. */
function layOut(node) {
  if (node.rows !== undefined) return;
  const { parent, heaps } = node;
  if (!heaps?.length) node.rows = null;
  else if (!parent) node.rows = rowsOf(heaps);
  else {
    layOut(parent);
    node.rows = parent.rows ? rowsAfter(parent.rows, parent.heaps, heaps.filter((heap) => heap > 0), node.touched) : null;
    node.rows ??= rowsOf(heaps);
  }
}

/** The pieces beside the board, and what counts for each side. */
function trays({ trays: all = [] }) {
  const most = all.length === 2 && all[0].half_points !== null ? all.reduce((sum, tray) => sum + tray.half_points, 0) : 0;
  board.piece = all.some(({ pieces }) => pieces.some(({ shape }) => shape === 'wall')) ? board.piece || 'flat' : '';
  $('road').hidden = !board.piece;
  for (const which of ['first', 'second']) {
    const tray = all.find(({ side: owner }) => owner === which);
    const box = $(`tray-${which}`);
    box.hidden = !tray;
    if (!tray) continue;
    const turn = state.at.full.turn === which && board.enabled;
    // Pieces that are chosen are buttons; the others are a picture.
    const pieces = tray.pieces.map(({ svg, shape, count }) => {
      const says = `${count} ${shape === 'disc' ? 'in hand' : { flat: 'flats', wall: 'stones as walls', cap: count === 1 ? 'capstone' : 'capstones' }[shape]}`;
      const piece = board.piece
        ? make('button', {
          type: 'button', 'data-shape': shape, disabled: !turn || !count, 'aria-pressed': turn && board.piece === shape, title: `${says}: choose what the next click places, or drag it to the board`,
          onclick: () => { board.piece = shape; trays(state.at.full); },
          onpointerdown: (event) => board.drag(event, [...event.currentTarget.querySelectorAll('svg .stack > g')], (to) => { board.piece = shape; board.click(to); }),
        })
        : make('span', { class: 'in-hand', title: says });
      piece.innerHTML = svg;
      piece.append(make('b', {}, `${count}`), make('span', { class: 'unseen' }, ` ${says}`));
      return piece;
    });
    const points = tray.half_points === null ? [] : [make('span', { class: 'points', title: 'flats on top, with komi' },
      make('meter', { min: 0, max: Math.max(1, most), value: tray.half_points, 'aria-label': `Flats of ${data.names[side(which)]}` }), ` ${tray.half_points / 2}`)];
    box.replaceChildren(make('strong', {}, named(which)), ...pieces, ...points);
  }
}

/** After a stone was placed, a further click on it makes it a wall, a capstone, and a flat again. */
function recycle(node) {
  const { parent } = node;
  const mine = parent && state.players[side(parent.turn)] === 'human';
  if (!board.piece || !mine || !parent.full || node.children.length || node.path?.length !== 1) return;
  const [place] = node.path;
  const others = parent.full.moves.filter(({ path }) => path.length === 1 && path[0] === place).map(({ mv }) => mv);
  if (others.length < 2) return;
  const order = ['flat', 'wall', 'cap'];
  others.sort((a, b) => order.indexOf(kind(a)) - order.indexOf(kind(b)));
  const next = others[(others.indexOf(node.mv) + 1) % others.length];
  const act = async () => {
    if (!node.comment && !node.marks) node.remove();
    state.thinking += 1;
    try {
      await go(await after(parent, next));
    } catch (error) {
      showError(error);
    }
  };
  board.again = { place, act };
}

/** What a person says about the move that led here. */
function remark() {
  const node = state.at;
  $('remark').hidden = !node.parent;
  if (document.activeElement !== $('comment') || $('comment').dataset.of !== `${node.ply} ${node.mv}`) $('comment').value = node.comment;
  $('comment').dataset.of = `${node.ply} ${node.mv}`;
  for (const button of document.querySelectorAll('[data-mark]')) button.setAttribute('aria-pressed', node.marks === button.dataset.mark);
  $('promote').disabled = node.isMain();
}

/** Keeps the address in step with marks, comments and the order of variations. */
function retold() {
  history.replaceState(null, '', here());
  story();
  keep();
  remark();
}

/** The name of a side, as a sentence begins. */
const named = (turn) => {
  const name = data.names[side(turn)];
  return name[0].toUpperCase() + name.slice(1);
};

/** Explains the position if the reasons are shown; with a move, only why this move is wrong. */
function explain(move) {
  if (!why.open) return;
  const { pos, joins } = state.at;
  why.show({ pos, joins, move, view: state.view, seconds: timeLimit() });
}

/** Shows or hides the reasons. */
function toggleWhy(open = !why.open, move = undefined) {
  $('why').setAttribute('aria-expanded', open);
  if (open) {
    $('why-box').hidden = false;
    explain(move);
    // On a narrow screen the panel is far below the board.
    $('why-box').scrollIntoView({ block: 'nearest' });
  } else why.close();
}

/** Goes to the position after some moves from here, without waking computer players. */
async function visit(moves) {
  state.studying = true;
  try {
    let node = state.at;
    for (const mv of moves) node = await after(node, mv);
    await go(node, 'push');
  } catch (error) {
    showError(error);
  }
}

/** The end of a game: who won, seen by the person who played. */
function ending() {
  const { full } = state.at;
  const people = state.players.map((player) => player === 'human');
  $('end').hidden = !full.over;
  if (!full.over) return;
  const alone = people[0] !== people[1];
  const mine = people[0] ? 'first' : 'second';
  $('result').textContent = !full.winner ? 'A draw' : alone ? (full.winner === mine ? 'You won' : 'You lost') : `${named(full.winner)} wins`;
  const said = full.winner ? `${named(full.winner)} wins` : 'Nobody wins';
  $('ending').textContent = `${said}: ${full.how ?? full.status}, move ${Math.ceil(state.at.ply / 2)}.`;
  $('swap').hidden = state.players[0] === state.players[1];
  $('turning').disabled = state.at.ply < 2;
}

/** Estimates this close to one half say that neither side is ahead. */
const LEVEL = 0.05;

/** The value of the start as published or computed before, with its source. */
function published() {
  const { says, source } = data.known;
  return `${says[0].toUpperCase()}${says.slice(1)}: ${source.replace(/: docs\/\S+/, '')}.`;
}

/** What the position is worth, in a sentence; nothing to somebody who plays against the computer, unless asked for. */
function sayVerdict(node) {
  let said = '';
  if (told(node) && !node.full.over && state.lesson?.at !== node) {
    const best = node.worth?.best;
    const top = node.guess?.length ? Math.max(...node.guess.map(share)) : null;
    if (best?.value === 'draw') said = 'A draw with best play: proven.';
    else if (best) {
      const winner = best.value === 'win' ? node.turn : { first: 'second', second: 'first' }[node.turn];
      said = `${named(winner)} wins${best.plies ? ` in ${best.plies} ${best.plies === 1 ? 'ply' : 'plies'}` : ''}: proven.`;
    } else if (data.known && node.pos === data.start) said = published();
    else if (top !== null) {
      const ahead = { first: 'second', second: 'first' }[node.turn];
      const lead = Math.abs(top - 0.5) <= LEVEL ? 'Level' : `${named(top > 0.5 ? node.turn : ahead)} is ahead`;
      said = `${lead}; ${named(node.turn)} ≈ ${Math.round(100 * top)} %: an estimate, not a proof${node.reasons ? ` (${node.reasons})` : ''}.`;
    }
  }
  // Where the start is proven, the strongest player is known to be perfect from there.
  if (state.root.worth?.best) for (const option of document.querySelectorAll('option[value="level:5"]')) option.textContent = 'Level 5 (perfect)';
  const nimber = told(node) ? node.worth?.nimber : undefined;
  if (said && nimber !== undefined && nimber !== null) said += ` Nim-value ${nimber}${nimber === 0 ? ': every move loses' : ''}.`;
  $('verdict').textContent = said;
}

/** Whether the value of a position may be said: not to somebody who plays against the computer, unless asked for. */
const told = (node) => state.values || (state.players.every((player) => player === 'human') && state.lesson?.at !== node);

/** The path of the move between two positions, whether it is played or undone. */
function between(from, node) {
  if (node.parent === from) return node.path ?? [];
  return (from?.parent === node && from.path) || [];
}

function navigation() {
  const end = state.at.end();
  $('counter').textContent = `${state.at.ply} / ${end.ply}`;
  for (const id of ['first', 'back']) $(id).disabled = !state.at.parent;
  for (const id of ['forth', 'last']) $(id).disabled = !state.at.children.length;
  $('again').classList.toggle('main', Boolean(state.at.full?.over));
  $('again').disabled = !state.root.children.length && state.root.pos === data.start;
  $('learn').disabled = end.ply < 2 || Boolean(state.lesson);
}

/** The position after a move. */
async function after(node, mv) {
  const known = node.children.find((one) => one.mv === mv);
  if (known) return known;
  const full = await ask(address('/api/play', { game, pos: node.pos, mv, view: state.view, joins: node.joins }));
  return grow(node, full);
}

/** Adds the position after a move to the tree. */
function grow(node, full) {
  const { pos, svg, status, turn: next, over, winner, joins, path, heaps } = full;
  const child = node.child(full.mv, { pos, svg, status, turn: next, over, winner, joins, path, heaps });
  child.full = { ...full, view: state.view };
  child.svg ??= svg;
  return child;
}

async function play(mv) {
  const touched = [...board.clicked];
  board.hideMenu();
  const node = state.at;
  try {
    const child = await after(node, mv);
    child.touched ??= touched.length ? touched : undefined;
    state.studying = false;
    if (state.lesson?.at === node) state.lesson.judge(child.mv);
    if (state.at === node) await go(child, 'push');
    return true;
  } catch (error) {
    showError(error);
    board.cancel();
    return false;
  }
}

/** Goes back to the last position where a human is to move. */
function back() {
  let node = state.at.parent;
  if (!node) return;
  const humans = state.players.filter((player) => player === 'human').length;
  while (humans === 1 && node.parent && state.players[side(node.turn)] !== 'human') node = node.parent;
  go(node);
}

function forth() {
  let node = state.at.next();
  if (!node) return;
  const humans = state.players.filter((player) => player === 'human').length;
  while (humans === 1 && node.children.length && state.players[side(node.turn)] !== 'human') node = node.next();
  go(node);
}

/** The sign for a mistake or an only move, next to its move. Estimates count only where they were asked for. */
function judged(node) {
  const found = slip(node);
  if (found?.proven) return make('sup', { title: describe(found) }, found.best === 'win' && found.played === 'loss' ? '??' : '?');
  if (found && state.values) return make('sup', { title: describe(found) }, '?!');
  const kept = only(node);
  return kept ? make('sup', { class: 'only', title: `The only move that ${kept === 'win' ? 'wins' : 'holds the draw'}` }, '!') : '';
}

/** The moves with their branches. */
function story() {
  const button = (node) => make('button', {
    type: 'button',
    class: node === state.at ? 'mv here' : 'mv',
    'aria-current': node === state.at ? 'step' : false,
    onclick: () => go(node),
  }, node.mv, node.marks ? make('sup', { class: 'said' }, node.marks) : judged(node));
  const line = (first) => {
    const parts = [];
    for (let node = first; node; node = node.children[0]) {
      if (node.ply % 2 === 1 || node === first) parts.push(make('span', { class: 'no' }, node.number()));
      parts.push(button(node));
      if (node.comment) parts.push(make('span', { class: 'comment' }, node.comment));
      // The game itself is the main line, whatever was tried last.
      const others = node.parent.children[0] === node ? node.parent.children.slice(1) : [];
      for (const other of others) parts.push(make('span', { class: 'branch' }, '(', ...line(other), ')'));
    }
    return parts;
  };
  const first = state.root.children[0];
  const { full } = state.at;
  $('moves').replaceChildren(...(first ? line(first) : [make('p', { class: 'quiet-text' }, full.moves.some(({ path }) => path.length) ? 'No moves yet. Click a place on the board, or type a move.' : 'No moves yet. Choose one below, or type it.')]));
  const shown = $('moves').querySelector('.here');
  if (shown) $('moves').scrollTop = shown.offsetTop - $('moves').offsetTop - $('moves').clientHeight / 2;
}

/** Every position as a small board. */
function trace() {
  const line = state.at.end().line();
  if (line.some((node) => !node.svg)) refresh(false);
  $('trace').replaceChildren(...line.map((node) => {
    const item = make('button', { type: 'button', class: node === state.at ? 'here' : '', onclick: () => go(node), title: node.mv ?? 'start' });
    item.innerHTML = bare(node.svg ?? '');
    layOut(node);
    arrange(item.querySelector('svg'), node.rows, node.heaps);
    item.append(make('span', {}, node.mv ? `${node.number()} ${node.mv}` : 'start'));
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
  const guesses = new Map((state.values ? state.at.guess ?? [] : []).map((move) => [move.move, move]));
  if (guesses.size) sorted.sort((a, b) => (guesses.has(b.mv) ? share(guesses.get(b.mv)) : -1) - (guesses.has(a.mv) ? share(guesses.get(a.mv)) : -1));
  const items = sorted.slice(0, 300).map(({ mv }) => make('li', {}, make('button', { type: 'button', onclick: () => play(mv) },
    mv, guesses.has(mv) ? make('span', { class: 'v-unknown', title: 'estimate' }, ` ≈${Math.round(100 * share(guesses.get(mv)))}% (${guesses.get(mv).visits})`) : '',
    worth.has(mv) ? make('span', { class: `v-${worth.get(mv).value}` }, ` ${worth.get(mv).sign}`) : '')));
  if (full.count > 300) items.push(make('li', {}, `and ${full.count - 300} more`));
  $('legal').replaceChildren(...items);
}

function keep() {
  if (!state.root.children.length) return;
  const others = memory.get('recent', []).filter((item) => item.game !== game);
  const end = state.at.end();
  const moves = here(end);
  const status = end.full?.status ?? end.status;
  memory.set('recent', [{ game, title: data.title, url: moves, plies: end.ply, status, pos: end.pos, joins: end.joins }, ...others].slice(0, 8));
}

const timeLimit = () => Number($('seconds').value) || 2;

/** The proven values of the moves at a position; requested again only with more time. */
async function worthOf(node, seconds = timeLimit()) {
  if (node.over ?? node.full?.over) return null;
  if (node.worth?.best || node.tried >= seconds) return node.worth;
  node.tried = seconds;
  try {
    node.worth = await ask(address('/api/values', { game, pos: node.pos, seconds }));
    node.unknown = node.worth.why;
  } catch (error) {
    node.worth ??= null;
    node.unknown = error.message;
  }
  return node.worth;
}

/** The most moves that are estimated. */
const ESTIMATED = 16;

/** Estimates for the moves at a position by the strongest player of the game, used if nothing is proven. */
async function guessOf(node, seconds = Math.min(2, timeLimit())) {
  if (node.over ?? node.full?.over) return [];
  if (node.guessed >= seconds) return node.guess ?? [];
  node.guessed = seconds;
  const lines = data.strongest === 'negamax' ? `,lines=${ESTIMATED}` : '';
  try {
    const choice = await ask('/api/choose', { game, pos: node.pos, player: `${data.strongest}:time=${seconds}${lines}`, seconds: seconds + 1, seed: 1 });
    const thought = choice.thought ?? {};
    node.guess = thought.alternatives?.length ? thought.alternatives : thought.score ? [{ move: choice.mv, score: thought.score, visits: thought.nodes, path: [] }] : [];
    const line = (thought.pv ?? []).slice(0, 6).join(' ');
    node.reasons = [data.strongest === 'negamax' ? `depth ${thought.depth}` : `${short(thought.nodes ?? 0)} playouts`, line].filter(Boolean).join(': ');
  } catch {
    node.guess ??= [];
  }
  return node.guess;
}

/** Says what a position is worth, without showing what each move is worth. */
async function glance(node) {
  // A person who clicks through a game waits for nothing.
  await new Promise((resolve) => { setTimeout(resolve, 200); });
  if (state.at !== node || state.values || !told(node)) return;
  const worth = await worthOf(node, GLANCE);
  const still = () => state.at === node && !state.values;
  if (!still()) return;
  sayVerdict(node);
  if (worth?.best) {
    story();
    return;
  }
  // Where nothing is proven and nothing is published, a short search says how it looks.
  if (data.known && node.pos === data.start) return;
  await guessOf(node, GLANCE);
  if (still()) sayVerdict(node);
}

async function showValues() {
  $('values').setAttribute('aria-pressed', state.values);
  const node = state.at;
  if (!state.values) {
    $('history').replaceChildren(make('p', { class: 'history-key' }, '▲ Values draws the value along the game here.'));
    if (told(node) && !node.full.over) glance(node);
  }
  // In a lesson the player looks for a better move, so values stay hidden.
  const asked = state.lesson?.at === node;
  if (!state.values || asked) board.value(null);
  sayVerdict(node);
  if (!state.values) {
    if (!state.lesson) $('lesson').hidden = true;
    return;
  }
  $('values').classList.add('busy');
  const worth = await worthOf(node);
  $('values').classList.remove('busy');
  if (state.at !== node || !state.values) return;
  sayVerdict(node);
  if (!asked) {
    board.value(worth?.values ?? null);
    point(node);
  }
  if (!worth?.best && !node.full.over) {
    const seen = await guessOf(node);
    if (state.at !== node || !state.values) return;
    sayVerdict(node);
    if (!asked) board.guess(seen);
    if (seen.length) announce(`No proof. Estimates: ${node.reasons}.`);
    else notice($('notice'), `No values: ${node.unknown ?? 'nothing is proven within the time limit'}`);
  }
  legal();
  await chart(() => state.at === node && state.values);
}

/** Arrows for the best move and, if it is a mistake, the move that was played. */
function point(node) {
  const { best } = node.worth ?? {};
  const next = node.next();
  const path = (mv) => node.full.moves.find((move) => move.mv === mv)?.path ?? [];
  const wrong = next && slip(next);
  // Of several moves that are equally good, none is pointed out by a frame: their badges say it.
  const alone = best && node.worth.values.filter((move) => preference(move) === preference(best)).length === 1;
  const shown = best && (alone || path(best.mv).length > 1);
  board.point([...(shown ? [{ path: path(best.mv), kind: 'best' }] : []), ...(wrong ? [{ path: path(next.mv), kind: 'bad' }] : [])]);
}

/** The time for a position along the chart, in seconds. */
const GLANCE = 0.4;

/** Finds the value of every position of the game, while `wanted()` holds, and updates the chart. */
async function chart(wanted, progress = () => {}) {
  const line = state.at.end().line();
  for (const [i, step] of line.entries()) {
    progress(`Analysing the game … ${i} of ${line.length} positions`);
    const before = [step.worth, step.guess];
    const worth = await worthOf(step, Math.min(GLANCE, timeLimit()));
    if (!worth?.best) await guessOf(step, GLANCE);
    if (!wanted()) return false;
    if (before[0] !== step.worth || before[1] !== step.guess) drawHistory($('history'), line, state.at, data.names, go);
  }
  drawHistory($('history'), line, state.at, data.names, go);
  story();
  const first = slips(line)[0];
  if (!state.lesson) {
    $('lesson').hidden = !first;
    if (first) $('lesson').replaceChildren(`${describe(first)} `, make('button', { type: 'button', onclick: () => teach(line) }, 'Try again from there'));
  }
  return true;
}

/** Starts a lesson on the mistakes of a line: those of the humans, or all if they made none. */
function teach(line) {
  const all = slips(line);
  const people = state.players.map((player) => player === 'human');
  const mine = all.filter(({ node }) => people[side(node.parent.turn)]);
  const found = mine.length ? mine : all;
  const done = () => { state.lesson = null; };
  const reasons = async (at, move) => {
    await go(at);
    toggleWhy(true, move);
  };
  const blame = (mv) => board.point([{ path: state.at.full.moves.find((move) => move.mv === mv)?.path ?? [], kind: 'bad' }]);
  state.lesson = new Lesson($('lesson'), found, line.at(-1), { go, hint, done, reasons, blame });
  return state.lesson.begin();
}

async function learn() {
  const line = state.at.end().line();
  const node = state.at;
  $('lesson').hidden = false;
  $('lesson').textContent = 'Analysing the game …';
  if (!(await chart(() => state.at === node, (text) => { $('lesson').textContent = text; }))) return;
  const found = slips(line);
  const people = state.players.map((player) => player === 'human');
  const mine = found.filter(({ node: made }) => people[side(made.parent.turn)]);
  if (mine.length) await teach(line);
  else if (found.length) {
    $('lesson').textContent = `You made no mistakes. ${describe(found[0])}`;
  } else {
    const sure = line.every((step) => step.over || step.worth?.best);
    $('lesson').hidden = false;
    $('lesson').textContent = sure ? 'No mistakes in this game.' : 'No mistakes found within the time limit; a longer limit may find some.';
  }
}

/** The time per move of a side, in seconds. */
const seconds = (which) => Number(document.querySelector(`[data-seconds="${which}"]`).value) || 2;

/** The numbers of proven and unproven moves in the game so far, for a side that proves its moves. */
function proofs(node, turn) {
  const counts = { proven: 0, open: 0 };
  for (let at = node; at; at = at.parent) {
    if (at.chosen?.by === turn && at.chosen.proof !== null) counts[at.chosen.proof ? 'proven' : 'open'] += 1;
  }
  return counts;
}

/** The pause after a move of a computer player, in milliseconds: by the speed that a person chose, if two of them play. */
const PACES = [2400, 1200, 450, 150, 0];
/** A stone that was just placed can still be changed, so the answer waits. */
const CHANGE_MS = 700;

const machines = () => state.players.every((name) => name !== 'human');

/** Whether the position occurred before in this game. */
const repeats = (node) => node.line().slice(0, -1).some((before) => before.pos === node.pos);

/** The buttons for two computer players. */
function showMachines() {
  const both = machines();
  $('machines').hidden = !both;
  if (!both) state.paused = false;
  $('machine-run').textContent = state.paused ? '▶ Play' : '❚❚ Pause';
  $('machine-run').setAttribute('aria-pressed', !state.paused);
  $('machine-step').disabled = !state.paused || Boolean(state.at?.full?.over);
}

/** Lets a computer player move if it is its turn and no move was played here yet. */
async function agent(once = false) {
  const node = state.at;
  const full = node.full;
  const player = state.players[side(full.turn)];
  const ticket = (state.thinking += 1);
  showMachines();
  if (machines() && !once && !state.paused && !full.over && repeats(node)) {
    state.paused = true;
    showMachines();
    notice($('notice'), 'The position occurred before: the players repeat themselves. Step plays on.');
  }
  const waits = machines() && state.paused && !once;
  if (full.over || player === 'human' || (node.children.length && !once) || state.lesson || state.studying || waits) {
    $('status').classList.remove('busy');
    return;
  }
  $('status').textContent = `${full.status} · computer is thinking …`;
  $('status').classList.add('busy');
  const pause = machines() ? PACES[Number($('machine-speed').value)] : board.again ? CHANGE_MS : 250;
  try {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const [choice] = await Promise.all([
      ask('/api/choose', { game, pos: node.pos, player, seconds: seconds(side(full.turn)), seed, page, view: state.view, joins: node.joins }),
      new Promise((resolve) => { setTimeout(resolve, once ? 0 : pause); }),
    ]);
    $('status').classList.remove('busy');
    if (ticket !== state.thinking || state.at !== node) return;
    node.chosen = { by: full.turn, proof: choice.proof };
    const counts = proofs(node, full.turn);
    if (choice.proof === false) log(`${choice.mv} is unproven: no proof within the time limit (${player}: ${counts.proven} moves proven, ${counts.open} unproven)`);
    const child = grow(node, choice.node);
    child.unproven = choice.proof === false;
    await go(child, 'push');
  } catch (error) {
    $('status').classList.remove('busy');
    if (ticket === state.thinking) {
      $('status').textContent = full.status;
      showError(error);
    }
  }
}

async function hint() {
  const node = state.at;
  if (node.full.over) return;
  $('hint').classList.add('busy');
  notice($('notice'), 'Looking for a good move …');
  const worth = await worthOf(node);
  $('hint').classList.remove('busy');
  if (state.at !== node) return;
  if (worth?.best) {
    const best = worth.values.filter((move) => preference(move) === preference(worth.best));
    board.hint([best[0].mv]);
    const said = `Best move: ${best[0].mv} (${verdict(best[0])})`;
    announce(said);
    notice($('notice'), said);
    return;
  }
  try {
    const choice = await ask('/api/choose', { game, pos: node.pos, player: 'perfect', seconds: timeLimit(), seed: 1 });
    if (state.at !== node) return;
    board.hint([choice.mv]);
    notice($('notice'), `${choice.mv} ${choice.proven ? 'is proven to be best' : 'looks best; nothing is proven within the time limit'}`);
  } catch (error) {
    showError(error);
  }
}

/** Shows the board rotated or flipped. */
function turn(view) {
  state.view = view;
  memory.set(`view ${game}`, view);
  refresh();
}

/** Draws the boards of the line again, and the board itself. */
async function refresh(whole = true) {
  const line = state.at.end().line();
  if (line.length > 1) {
    const seen = await ask(address('/api/line', { game, pos: state.root.pos, moves: line.at(-1).moves().join(' '), view: state.view, joins: state.root.joins }));
    seen.steps.forEach((step, i) => { line[i].svg = step.svg; });
    if (!whole && seen.steps.length === line.length) trace();
  }
  if (whole) await go(state.at);
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

async function load(steps, to, told) {
  state.lesson = null;
  state.studying = false;
  state.paused = false;
  $('lesson').hidden = true;
  const end = plant(steps, told);
  state.root.end().prefer();
  await go(to ?? end, 'push');
}

/** Starts a new game at a position. */
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
$('copy-pos').onclick = (event) => copy(state.at.pos, event.target);
$('copy-line').onclick = async (event) => {
  try {
    copy(data.notation ? (await written()).text : storyText(state.root, state.tags), event.target);
  } catch (error) {
    showError(error);
  }
};
$('copy-link').onclick = (event) => copy(location.origin + here(), event.target);
/** The whole game as a file, with variations, comments and tags, wherever it is being looked at. */
const written = () => ask('/api/story', { game, pos: state.root.pos, story: storyOf(state.root, state.tags, state.result) });

$('save').onclick = async () => {
  try {
    const record = await written();
    save(record.name, record.text);
  } catch (error) {
    showError(error);
  }
};
$('load').onclick = async () => {
  if (!$('paste').value.trim()) {
    $('paste').focus();
    return;
  }
  try {
    const read = await ask('/api/record', { game, text: $('paste').value });
    const to = address(`/g/${encodeURI(read.game)}`, { pos: read.pos, moves: read.moves.join(' '), tree: read.tree.length > LONGEST_LINK ? '' : read.tree });
    if (read.game !== game) {
      location.href = to;
      return;
    }
    const line = await ask(address('/api/line', { game, pos: read.pos, moves: read.moves.join(' '), view: state.view }));
    await load(line.steps, null, read.story);
  } catch (error) {
    showError(error);
  }
};

$('comment').addEventListener('input', () => {
  state.at.comment = $('comment').value.trim();
  retold();
});
for (const button of document.querySelectorAll('[data-mark]')) {
  button.onclick = () => {
    state.at.marks = state.at.marks === button.dataset.mark ? '' : button.dataset.mark;
    retold();
  };
}
$('remark').open = memory.get('remark', false);
$('remark').addEventListener('toggle', () => memory.set('remark', $('remark').open));
$('promote').onclick = () => {
  state.at.promote();
  retold();
  trace();
};
$('delete').onclick = () => go(state.at.remove());

$('road').onclick = () => {
  board.roads = !board.roads;
  $('road').setAttribute('aria-pressed', board.roads);
  board.paint();
};

$('machine-run').onclick = () => {
  state.paused = !state.paused;
  state.studying = false;
  notice($('notice'), '');
  agent(!state.paused && repeats(state.at));
};
$('machine-step').onclick = () => {
  state.studying = false;
  agent(true);
};

// A game against the computer: level and side are remembered.
$('level').value = memory.get('level', 'level:2');
for (const radio of document.querySelectorAll('[name=side]')) radio.checked = radio.value === memory.get('side', 'first');
$('opponent').onsubmit = async (event) => {
  event.preventDefault();
  const [level, wanted] = [$('level').value, document.querySelector('[name=side]:checked').value];
  memory.set('level', level);
  memory.set('side', wanted);
  const mine = wanted === 'random' ? Math.floor(Math.random() * 2) : side(wanted);
  const selects = [...document.querySelectorAll('[data-player]')];
  selects.forEach((select, i) => choosePlayer(select, i === mine ? 'human' : level));
  await begin(data.start);
  $('board').scrollIntoView({ block: 'nearest' });
};
/** Lets a person or a computer player play a side. */
function choosePlayer(select, player) {
  if (![...select.options].some((option) => option.value === player)) select.append(make('option', { value: player }, player));
  select.value = player;
  state.players[Number(select.dataset.player)] = player;
  select.closest('.player').querySelector('.time').hidden = player === 'human';
}

for (const select of document.querySelectorAll('[data-player]')) {
  choosePlayer(select, asked.get(['first', 'second'][Number(select.dataset.player)]) ?? select.value);
  select.onchange = () => {
    state.studying = false;
    choosePlayer(select, select.value);
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

const end = plant(data.line.steps, data.story);
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
