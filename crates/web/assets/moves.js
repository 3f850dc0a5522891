// The moves: those played, as text and as a strip of boards, and those that are legal.

import { address, ask, make } from './app.js';
import { preference, share } from './board.js';
import { arrange } from './heaps.js';
import { describe, only, slip } from './lesson.js';
import { $, data, game, state } from './state.js';
import { go, layOut, play } from './walk.js';
import { bare } from './why.js';

export function navigation() {
  const end = state.at.end();
  $('counter').textContent = [state.at, end].map((node) => (node.ply ? node.number() : 'start')).join(' / ');
  for (const id of ['first', 'back']) $(id).disabled = !state.at.parent;
  for (const id of ['forth', 'last']) $(id).disabled = !state.at.children.length;
  $('again').classList.toggle('main', Boolean(state.at.full?.over));
  $('again').disabled = !state.root.children.length && state.root.pos === data.start;
  $('learn').disabled = end.ply < 2 || Boolean(state.lesson);
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
export function story() {
  const button = (node) => make('button', {
    type: 'button',
    class: node === state.at ? 'mv here' : 'mv',
    'aria-current': node === state.at ? 'step' : false,
    onclick: () => go(node),
  }, node.mv, node.marks ? make('sup', { class: 'said' }, node.marks) : judged(node));
  const line = (first) => {
    const parts = [];
    for (let node = first; node; node = node.children[0]) {
      // The number stays with its move at the end of a line.
      const number = node.ply % 2 === 1 || node === first ? [make('span', { class: 'no' }, node.number())] : [];
      parts.push(number.length ? make('span', { class: 'ply' }, ...number, button(node)) : button(node));
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
export function trace() {
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
export function legal() {
  const full = state.at.full;
  const worth = new Map((state.values && state.at.worth ? state.at.worth.values : []).map((move) => [move.mv, move]));
  const sorted = [...full.moves].sort((a, b) =>
    (worth.has(b.mv) ? preference(worth.get(b.mv)) : -1) - (worth.has(a.mv) ? preference(worth.get(a.mv)) : -1));
  const guesses = new Map((state.values ? state.at.guess ?? [] : []).map((move) => [move.move, move]));
  if (guesses.size) sorted.sort((a, b) => (guesses.has(b.mv) ? share(guesses.get(b.mv)) : -1) - (guesses.has(a.mv) ? share(guesses.get(a.mv)) : -1));
  const items = sorted.slice(0, 300).map(({ mv }) => make('li', {}, make('button', { type: 'button', onclick: () => play(mv) },
    mv, guesses.has(mv) ? make('span', { class: 'v-unknown', title: 'estimate' }, ` ≈${Math.round(100 * share(guesses.get(mv)))}% (${guesses.get(mv).visits})`) : '',
    worth.has(mv) ? make('span', { class: `v-${worth.get(mv).value}` }, ` ${worth.get(mv).sign}`) : '',
    typeof worth.get(mv)?.nimber === 'number' ? make('span', { class: 'nimber', title: 'the nim-value that the move leaves' }, ` → *${worth.get(mv).nimber}`) : '')));
  if (full.count > 300) items.push(make('li', {}, `and ${full.count - 300} more`));
  $('legal').replaceChildren(...items);
}

/** Draws the boards of the line again, and the board itself. */
export async function refresh(whole = true) {
  const line = state.at.end().line();
  if (line.length > 1) {
    const seen = await ask(address('/api/line', { game, pos: state.root.pos, moves: line.at(-1).moves().join(' '), view: state.view, joins: state.root.joins }));
    seen.steps.forEach((step, i) => { line[i].svg = step.svg; });
    if (!whole && seen.steps.length === line.length) trace();
  }
  if (whole) await go(state.at);
}
