// Learning from mistakes: the moves of a game that gave something away, one after the other, each to be tried again.

import { make } from './app.js';
import { share } from './board.js';

const RANK = { loss: 0, draw: 1, win: 2 };
/** What an estimate must fall by to be worth a second look. */
const FALL = 0.2;

/** What was given away by a move: proven, or as it seems; nothing if nothing was. */
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

/** Every slip of a line. */
export const slips = (line) => line.slice(1).map(slip).filter(Boolean);

const percent = (x) => `${Math.round(100 * x)} %`;

/** A slip in words. */
export function tell({ node, proven, best, played }, names) {
  const who = names[node.parent.turn === 'first' ? 0 : 1];
  return proven
    ? `Move ${node.ply}: ${who} played ${node.mv}, and a ${best} became a ${played}.`
    : `Move ${node.ply}: ${who} played ${node.mv}, which seems to give much away (an estimate: ${percent(best)} became ${percent(played)}).`;
}

/** Whether another move at the same place keeps what the slip gave away; unknown without a proof. */
function keeps(found, mv) {
  const { worth, guess } = found.node.parent;
  if (found.proven) {
    const tried = worth.values.find((move) => move.mv === mv);
    return tried ? RANK[tried.value] >= RANK[found.best] : undefined;
  }
  const tried = guess.find((move) => move.move === mv);
  return tried ? found.best - share(tried) < FALL / 2 : undefined;
}

/** A lesson: shown in `box`; `go` leads to a position, `hint` shows a good move. */
export class Lesson {
  constructor(box, found, end, names, { go, hint, done }) {
    Object.assign(this, { box, found, end, names, go, hint, done, index: 0, tried: null });
  }

  get slip() {
    return this.found[this.index];
  }

  /** Where the better move is looked for. */
  get at() {
    return this.slip.node.parent;
  }

  begin() {
    this.tried = null;
    this.show(`${tell(this.slip, this.names)} Find something better.`, ['hint']);
    return this.go(this.at);
  }

  show(text, which) {
    const more = this.index + 1 < this.found.length;
    const button = (label, act, main) => make('button', { type: 'button', class: main ? 'main' : false, onclick: act }, label);
    this.box.hidden = false;
    this.box.replaceChildren(
      make('span', {}, `${text} `),
      make('span', { class: 'buttons' },
        ...(which.includes('hint') ? [button('Show me', () => this.hint())] : []),
        ...(which.includes('again') ? [button('Try again', () => this.begin(), true)] : []),
        ...(more ? [button('Next mistake', () => { this.index += 1; this.begin(); }, which.includes('next'))] : []),
        button('Back to the game', () => this.leave(), which.includes('next') && !more)),
    );
  }

  /** A move was played where the slip happened. */
  judge(mv) {
    const good = keeps(this.slip, mv);
    const better = this.slip.proven ? `keeps the ${this.slip.best}` : 'seems as good as any';
    if (mv === this.slip.node.mv) this.show(`${mv} is what was played.`, ['again']);
    else if (good === undefined) this.show(`Nothing is known about ${mv} in the time given.`, ['again']);
    else if (good) this.show(`${mv} ${better}. Well done.`, ['next']);
    else this.show(this.slip.proven ? `${mv} gives it away as well.` : `${mv} seems no better.`, ['again']);
  }

  leave() {
    this.box.hidden = true;
    this.done();
    return this.go(this.end);
  }
}
