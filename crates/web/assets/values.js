// What positions and moves are worth: proven, published or estimated, in a sentence and on the board.

import { address, announce, ask, make, notice } from './app.js';
import { preference, share, short } from './board.js';
import { slip } from './lesson.js';
import { legal, story } from './moves.js';
import { $, data, game, named, state, timeLimit, voiced } from './state.js';
import { board } from './walk.js';

/** The proven values of the moves at a position; requested again only with more time. */
export async function worthOf(node, seconds = timeLimit()) {
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
export async function guessOf(node, seconds = Math.min(2, timeLimit())) {
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

/** Estimates this close to one half say that neither side is ahead. */
const LEVEL = 0.05;

/** The value of the start as published or computed before, with its source. */
function published() {
  const { says, source } = data.known;
  return `${says[0].toUpperCase()}${says.slice(1)}: ${source.replace(/: docs\/\S+/, '')}.`;
}

/** What the position is worth, in a sentence; nothing to somebody who plays against the computer, unless asked for. */
export function sayVerdict(node) {
  let said = node.full.over ? `The game is over: ${node.full.how ?? node.full.status}.` : '';
  $('why').hidden = node.full.over;
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
      const start = data.known ? ` From the start: ${voiced(data.known.says)} (${data.known.source.replaceAll(/(published|: docs\/\S+|; solved here.*)(: )?/g, '')}).` : '';
      const reasons = node.reasons ? ` (${node.reasons})` : '';
      const share = `${lead}; ${named(node.turn)} ≈ ${Math.round(100 * top)} %: an estimate`;
      said = start ? `${share}.${start}${reasons}` : `${share}, not a proof${reasons}.`;
    }
  }
  // Where the start is proven, the strongest player is known to be perfect from there.
  if (!data.perfect && state.root.worth?.best) for (const option of document.querySelectorAll('option[value="level:5"]')) option.textContent = 'Level 5 (perfect)';
  const nimber = told(node) ? node.worth?.nimber : undefined;
  if (said && nimber !== undefined && nimber !== null) said += ` Nim-value ${nimber}${nimber === 0 ? ': every move loses' : ''}.`;
  $('verdict').textContent = said;
  $('verdict').title = said;
}

/** Whether the value of a position may be said: not to somebody who plays against the computer, unless asked for. */
export const told = (node) => state.values || (state.players.every((player) => player === 'human') && state.lesson?.at !== node);

/** The time for a position that nobody asked about, in seconds. */
export const GLANCE = 0.4;

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
    point(node, ['bad']);
    return;
  }
  // Where nothing is proven and nothing is published, a short search says how it looks.
  if (data.known && node.pos === data.start) return;
  await guessOf(node, GLANCE);
  if (still()) sayVerdict(node);
}

/** Shows what the moves of the position are worth, if they are wanted; returns whether they still are. */
export async function showValues() {
  $('nimbers').replaceChildren();
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
    return false;
  }
  $('values').classList.add('busy');
  const worth = await worthOf(node);
  $('values').classList.remove('busy');
  if (state.at !== node || !state.values) return false;
  sayVerdict(node);
  if (!asked) {
    sayNimbers(worth);
    board.value(worth?.values ?? null);
    point(node);
  }
  if (!worth?.best && !node.full.over) {
    const seen = await guessOf(node);
    if (state.at !== node || !state.values) return false;
    sayVerdict(node);
    if (!asked) board.guess(seen);
    if (seen.length) announce(`No proof. Estimates: ${node.reasons}.`);
    else notice($('notice'), `No values: ${node.unknown ?? 'nothing is proven within the time limit'}`);
  }
  legal();
  return true;
}

/** The parts of a position of heaps or tiles with their nim-values, and the xor of them. */
function sayNimbers(worth) {
  const parts = worth?.parts ?? [];
  if (!parts.length || parts.some(({ nimber }) => nimber === null)) return;
  const said = parts.map(({ part, nimber }) => make('li', {}, `${part} = *${nimber}`));
  if (parts.length > 1) said.push(make('li', {}, `xor: ${parts.map(({ nimber }) => nimber).join(' ⊕ ')} = *${worth.nimber}`));
  $('nimbers').replaceChildren(...said);
}

/** The most moves that are pointed out as equally good. */
const SHOWN_BEST = 3;

/** Arrows for the best move and, if it is a mistake, the move that was played. */
function point(node, kinds = ['best', 'bad']) {
  const { best } = node.worth ?? {};
  const next = node.next();
  const path = (mv) => node.full.moves.find((move) => move.mv === mv)?.path ?? [];
  const wrong = next && slip(next);
  // Where many moves are equally good, none is pointed out: their badges say it.
  const good = best ? node.worth.values.filter((move) => preference(move) === preference(best)) : [];
  const shown = good.length <= (board.sets ? 1 : SHOWN_BEST) ? good : [];
  const arrows = [...shown.map((move) => ({ path: path(move.mv), kind: 'best' })), ...(wrong ? [{ path: path(next.mv), kind: 'bad' }] : [])];
  board.point(arrows.filter(({ kind }) => kinds.includes(kind)));
}
