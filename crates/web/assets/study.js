// Learning from a game: the chart of its values, its mistakes, hints and reasons.

import { announce, ask, make, notice } from './app.js';
import { preference, verdict } from './board.js';
import { drawHistory } from './history.js';
import { Lesson, describe, slips } from './lesson.js';
import { story } from './moves.js';
import { $, data, game, showError, side, state, timeLimit } from './state.js';
import { GLANCE, guessOf, showValues, worthOf } from './values.js';
import { after, board, go } from './walk.js';
import { Why } from './why.js';

const why = new Why($('why-box'), game, data.names, (moves) => visit(moves));

/** Explains the position if the reasons are shown; with a move, only why this move is wrong. */
function explain(move) {
  if (!why.open) return;
  const { pos, joins } = state.at;
  why.show({ pos, joins, move, view: state.view, seconds: timeLimit() });
}

/** Shows or hides the reasons. */
export function toggleWhy(open = !why.open, move = undefined) {
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

/** In a lesson the reasons would tell what to find. */
export function reasons(node) {
  if (state.lesson?.at === node) toggleWhy(false);
  else explain();
}

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

/** Shows what the position is worth, and then the chart of the game. */
export async function showWorth() {
  const node = state.at;
  if (await showValues()) await chart(() => state.at === node && state.values);
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

/** Finds the mistakes of the game, and begins a lesson on them. */
export async function learn() {
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

/** Points out a best move. */
export async function hint() {
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
    notice($('notice'), `${said} `);
    $('notice').append(make('button', { type: 'button', onclick: () => toggleWhy(true) }, 'Why?'));
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
