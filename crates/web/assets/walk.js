// The way through the tree of a game: the position that is shown, the moves to and from it, and the address that names it.

import { address, announce, ask, memory, notice } from './app.js';
import { Board } from './board.js';
import { arrange, rowsAfter, rowsOf } from './heaps.js';
import { $, data, game, showError, side, state } from './state.js';
import { Node, storyText } from './tree.js';

/** The longest story that a link can hold. */
export const LONGEST_LINK = 24000;

/** What is shown at every position, in order: functions of the position, the one before it, and how it was reached. */
export const arrivals = [];

export const board = new Board($('board'), $('menu'), (mv) => play(mv));
board.refused = (why) => {
  announce(why);
  notice($('notice'), why);
};
board.preview = async (mv) => (await ask(address('/api/play', { game, pos: state.at.pos, mv, view: state.view }))).svg;

/** Builds the tree from a line, and from a game with its variations; returns the last node of the line. */
export function plant(steps, story) {
  state.root = new Node(null, null, steps[0]);
  state.tags = story?.tags ?? [];
  state.result = story?.result ?? '';
  // A result that stands behind the moves is kept like a tag: in the link, and when the page is loaded again.
  if (state.result && !state.tags.some(([key]) => key.toLowerCase() === 'result')) state.tags = [...state.tags, ['Result', state.result]];
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
  return node;
}

export function here(node = state.at) {
  const pos = state.root.pos === data.start ? '' : state.root.pos;
  const [first, second] = state.players.map((player) => (player === 'human' ? '' : player));
  const [moves, story] = [node.moves().join(' '), storyText(state.root, state.tags)];
  // What no link can hold is kept in this browser.
  const kept = story.length > LONGEST_LINK;
  if (kept) memory.set(`kept ${game}`, { pos, story });
  const tree = story === moves || kept ? '' : story;
  return address(`/g/${encodeURI(game)}`, { pos, moves, tree, kept: kept ? 1 : '', first, second });
}

export async function look(node) {
  if (node.full?.view !== state.view) {
    const full = await ask(address('/api/node', { game, pos: node.pos, view: state.view, joins: node.joins }));
    node.full = { ...full, view: state.view };
    node.svg = full.svg;
  }
  return node.full;
}

/** Goes to a position. */
export async function go(node, how = 'replace') {
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
  for (const arrive of arrivals) arrive(node, from, how);
}

/** The rows in which the heaps of a position stand, in games of heaps. */
export function layOut(node) {
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

/** The path of the move between two positions, whether it is played or undone. */
function between(from, node) {
  if (node.parent === from) return node.path ?? [];
  return (from?.parent === node && from.path) || [];
}

/** The position after a move. */
export async function after(node, mv) {
  const known = node.children.find((one) => one.mv === mv);
  if (known) return known;
  const full = await ask(address('/api/play', { game, pos: node.pos, mv, view: state.view, joins: node.joins }));
  return grow(node, full);
}

/** Adds the position after a move to the tree. */
export function grow(node, full) {
  const { pos, svg, status, turn: next, over, winner, joins, path, heaps } = full;
  const child = node.child(full.mv, { pos, svg, status, turn: next, over, winner, joins, path, heaps });
  child.full = { ...full, view: state.view };
  child.svg ??= svg;
  return child;
}

export async function play(mv) {
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
export function back() {
  let node = state.at.parent;
  if (!node) return;
  const humans = state.players.filter((player) => player === 'human').length;
  while (humans === 1 && node.parent && state.players[side(node.turn)] !== 'human') node = node.parent;
  go(node);
}

export function forth() {
  let node = state.at.next();
  if (!node) return;
  const humans = state.players.filter((player) => player === 'human').length;
  while (humans === 1 && node.children.length && state.players[side(node.turn)] !== 'human') node = node.next();
  go(node);
}

export async function load(steps, to, told) {
  state.lesson = null;
  state.studying = false;
  state.paused = false;
  $('lesson').hidden = true;
  const end = plant(steps, told);
  state.root.end().prefer();
  await go(to ?? end, 'push');
}

/** Starts a new game at a position. */
export async function begin(pos) {
  const line = await ask(address('/api/line', { game, pos, view: state.view }));
  await load(line.steps);
}
