// Learning from mistakes: each mistake of a game in turn, with a chance to find a better move.

import { make } from './app.js';
import { share } from './board.js';

const RANK = { loss: 0, draw: 1, win: 2 };
/** An estimate that drops by at least this much counts as a mistake (as a share of points, 0 to 1). */
const FALL = 0.2;

/** The mistake of a move, proven or estimated; null if the move is not a mistake. */
export function slip(node) {
  const { worth, guess } = node.parent;
  const best = worth?.best;
  const played = worth?.values.find((move) => move.mv === node.mv);
  if (best && played) {
    return RANK[played.value] < RANK[best.value] ? { node, proven: true, best: best.value, played: played.value } : null;
  }
  if (best || !guess?.length) return null;
  const seen = guess.find((move) => move.move === node.mv);
  const top = Math.max(...guess.map(share));
  return seen && seen.visits > 20 && top - share(seen) >= FALL ? { node, proven: false, best: top, played: share(seen) } : null;
}

/** Of three moves and more, the only one that keeps a win or a draw: which of the two; null for any other move. */
export function only(node) {
  const { worth } = node.parent ?? {};
  if (!worth?.best || !worth.all || worth.best.value === 'loss' || worth.values.length < 3) return null;
  const kept = worth.values.filter((move) => move.value === worth.best.value);
  return kept.length === 1 && kept[0].mv === node.mv ? worth.best.value : null;
}

/** All mistakes of a line. */
export const slips = (line) => line.slice(1).map(slip).filter(Boolean);

const percent = (x) => `${Math.round(100 * x)} %`;

/** A mistake in words. */
export function describe({ node, proven, best, played }) {
  const move = `${node.number()} ${node.mv}`;
  return proven
    ? `${move} turned a ${best} into a ${played}.`
    : `${move} looks like a mistake (estimate: ${percent(best)} fell to ${percent(played)}).`;
}

/** Whether another move at the same position avoids the mistake; undefined if that is unknown. */
function keeps(found, mv) {
  const { worth, guess } = found.node.parent;
  if (found.proven) {
    const tried = worth.values.find((move) => move.mv === mv);
    return tried ? RANK[tried.value] >= RANK[found.best] : undefined;
  }
  const tried = guess.find((move) => move.move === mv);
  return tried ? found.best - share(tried) < FALL / 2 : undefined;
}

/**
 * A lesson, shown in `box`. `go` goes to a position, `hint` shows a good move, `reasons(at, move)` explains a move there, and
 * `done` ends the lesson; `blame(move)` shows the move that was played there.
 */
export class Lesson {
  constructor(box, found, end, { go, hint, done, reasons, blame }) {
    Object.assign(this, { box, found, end, go, hint, done, reasons, blame, index: 0 });
  }

  get slip() {
    return this.found[this.index];
  }

  /** The position before the mistake. */
  get at() {
    return this.slip.node.parent;
  }

  async begin() {
    this.show(`${describe(this.slip)} Find a better move.`, ['hint'], this.slip.node.mv);
    await this.go(this.at);
    this.blame(this.slip.node.mv);
  }

  /** Shows a text with buttons; a mistake, the one that was played or one that was tried, can be explained. */
  show(text, which, mistake) {
    const more = this.index + 1 < this.found.length;
    const button = (label, act, main) => make('button', { type: 'button', class: main ? 'main' : false, onclick: act }, label);
    this.box.hidden = false;
    this.box.replaceChildren(
      make('span', {}, `${text} `),
      make('span', { class: 'buttons' },
        ...(which.includes('hint') ? [button('Show me', () => this.hint())] : []),
        ...(mistake && this.slip.proven ? [button(`Why not ${mistake}?`, () => this.reasons(this.at, mistake))] : []),
        ...(which.includes('again') ? [button('Try again', () => this.begin(), true)] : []),
        ...(more ? [button('Next mistake', () => { this.index += 1; this.begin(); }, which.includes('next'))] : []),
        button('Back to the game', () => this.leave(), which.includes('next') && !more)),
    );
  }

  /** Judges a move that is played instead of the mistake. */
  judge(mv) {
    const good = keeps(this.slip, mv);
    const better = this.slip.proven ? `keeps the ${this.slip.best}` : 'looks as good as any';
    if (mv === this.slip.node.mv) this.show(`${mv} is the move that was played.`, ['again'], mv);
    else if (good === undefined) this.show(`The value of ${mv} is not known within the time limit.`, ['again']);
    else if (good) this.show(`${mv} ${better}. Well done.`, ['next']);
    else this.show(this.slip.proven ? `${mv} ${this.value(mv) === 'loss' ? 'loses' : 'only draws'}, too.` : `${mv} looks no better.`, ['again'], mv);
  }

  /** The proven value of another move at the same position. */
  value(mv) {
    return this.at.worth.values.find((move) => move.mv === mv)?.value;
  }

  leave() {
    this.box.hidden = true;
    this.done();
    return this.go(this.end);
  }
}
