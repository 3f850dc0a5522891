// Why a position has its value: a sentence, the line of best play, and a tree of boards in which every defence is answered.

import { address, ask, make } from './app.js';

const LEAVES = ['end', 'proven'];
const SIGN = { win: '▲', draw: '■', loss: '▼' };
/** The most moves that are named in one line. */
const NAMED = 12;

/** Moves that are answered alike, with the play after the first of them. */
function groups(nodes) {
  const found = new Map();
  for (const node of nodes) {
    const [answer] = node.moves;
    // Play that goes on is told for each move; an answer that settles it can serve many.
    const settled = node.shown === 'answer' && LEAVES.includes(answer.shown);
    const leaf = settled ? answer : node;
    const key = LEAVES.includes(leaf.shown) ? [answer?.move, leaf.shown, leaf.winner, leaf.plies].join(' ') : node.move;
    if (!found.has(key)) found.set(key, { moves: [], first: node });
    found.get(key).moves.push(node.move);
  }
  return [...found.values()];
}

/** The name of a side inside a sentence: a mark such as x is a capital letter. */
export const spoken = (name) => (name.length === 1 ? name.toUpperCase() : name);

const listed = (moves) => (moves.length > NAMED ? `${moves.slice(0, NAMED).join(' ')} and ${moves.length - NAMED} more` : moves.join(' '));
const plies = (n) => `${n} ${n === 1 ? 'ply' : 'plies'}`;

/** The panel. `names` are the names of the sides, `visit(moves)` goes to the position after some moves. */
export class Why {
  constructor(box, game, names, visit) {
    Object.assign(this, { box, game, names, visit, pos: null });
  }

  get open() {
    return !this.box.hidden;
  }

  close() {
    this.box.hidden = true;
    this.pos = null;
  }

  /** Explains a position, or with a move, only why this move is wrong: the rest would tell what is right. */
  async show({ pos, view, seconds, joins, move }) {
    this.box.hidden = false;
    if (this.pos === pos && this.view === view && this.move === move) return;
    Object.assign(this, { pos, view, joins, move });
    this.box.replaceChildren(make('h2', {}, 'Why?'), make('p', { class: 'quiet-text', role: 'status' }, 'Looking for the reasons …'));
    try {
      const told = await ask(address('/api/why', { game: this.game, pos, seconds }));
      if (told.names) this.names = told.names;
      if (this.pos === pos && this.move === move) this.box.replaceChildren(...(move ? this.wrong(told, move) : this.tell(told)));
    } catch (error) {
      if (this.pos === pos) this.box.replaceChildren(make('h2', {}, 'Why?'), make('p', { class: 'quiet-text' }, `No explanation: ${error.message}`));
    }
  }

  name(side) {
    return spoken(this.names[side === 'first' ? 0 : 1]);
  }

  /** A sentence of the server with the names as the page writes them. */
  voiced(sentence) {
    const letters = this.names.filter((name) => spoken(name) !== name);
    return letters.reduce((said, name) => said.replaceAll(new RegExp(`(?<![\\w-])${name}(?= (wins|loses|draws|answers|to move|has))`, 'g'), spoken(name)), sentence);
  }

  /** Why a move is wrong. */
  wrong(told, move) {
    const nodes = told.tree.moves.filter((node) => node.move === move);
    const refuted = told.refutations.find((one) => one.move === move);
    const list = make('ul', { class: 'why-moves' }, ...this.items(nodes, []));
    list.querySelectorAll('details').forEach((one) => { one.open = true; });
    return [make('h2', {}, `Why not ${move}?`), make('p', { class: 'why-sentence of-move' }, this.voiced(refuted?.sentence ?? `${move} only draws.`)), list];
  }

  tell(told) {
    const parts = [make('h2', {}, 'Why?'), make('p', { class: 'why-sentence' }, this.voiced(told.sentence))];
    if (told.sum) parts.push(...this.sum(told.sum));
    if (told.line?.length) parts.push(this.line(told));
    for (const value of ['win', 'draw', 'loss']) parts.push(...this.moves(told, value));
    const left = told.cut.size + told.cut.depth + told.cut.effort;
    if (left) parts.push(make('p', { class: 'quiet-text' }, `The play after ${left} proven ${left === 1 ? 'position' : 'positions'} is left out. Open one to see the rest.`));
    if (told.stopped) parts.push(make('p', { class: 'quiet-text' }, 'Not every move is proven within the time limit.'));
    return parts;
  }

  /** The nim-values of the parts of a sum, and the options behind them. */
  sum({ parts, nimber, misere }) {
    if (misere) return [];
    const one = ({ part, nimber: value, options, more }) => {
      const seen = options.map((option) => `${option.nimber} (leaving ${option.leaves || 'nothing'})`).join(', ');
      return make('li', {}, make('strong', {}, `${part}: nim-value ${value}`),
        make('span', {}, options.length ? `Its options have the values ${seen}${more ? ` and ${more} more` : ''}; ${value} is the least value not among them (mex).` : 'It has no options.'));
    };
    const xor = parts.map((part) => part.nimber).join(' xor ');
    const said = nimber === 0 ? 'Every move makes it nonzero, so the side to move loses.' : 'A move that makes it 0 wins.';
    return [make('ul', { class: 'why-sum' }, ...parts.map(one)), make('p', {}, parts.length > 1 ? `${xor} = ${nimber}. ${said}` : said)];
  }

  /** Best play of both sides, as a strip of boards. */
  line({ line, ends, winner }) {
    const strip = make('ol', { class: 'trace why-line', 'aria-label': 'Best play of both sides' });
    const end = { over: winner ? `${this.name(winner)} wins` : 'a draw', repeats: 'play repeats: a draw', proven: 'and so on: proven' }[ends];
    this.steps(line).then((steps) => {
      strip.append(...steps.slice(1).map((step, i) => {
        const button = make('button', { type: 'button', title: `Go to ${step.mv}`, onclick: () => this.visit(line.slice(0, i + 1)) });
        button.innerHTML = bare(step.svg);
        button.append(make('span', {}, step.mv));
        return make('li', {}, button);
      }));
    }, () => strip.remove());
    return make('div', {}, make('h3', {}, `Best play: ${end}`), strip);
  }

  /** The moves of the position that have this value for the side to move. */
  moves({ tree, mover, value, best }, wanted) {
    const worth = (node) => (node.winner ? (node.winner === mover[0] ? 'win' : 'loss') : node.value);
    const nodes = tree.moves.filter((node) => worth(node) === wanted);
    nodes.sort((a, b) => (b.move === best) - (a.move === best));
    if (!nodes.length) return [];
    const many = nodes.length === 1 ? 'One move' : `${nodes.length} moves`;
    const verb = { win: nodes.length === 1 ? 'wins' : 'win', draw: nodes.length === 1 ? 'draws' : 'draw', loss: nodes.length === 1 ? 'loses' : 'lose' }[wanted];
    const list = make('ul', { class: 'why-moves' }, ...this.items(nodes, []));
    // The tree of the winning move is what the sentence promises.
    if (wanted === value && value === 'win') list.querySelectorAll('details').forEach((one) => { one.open = one.dataset.moves.split(' ').includes(best); });
    return [make('h3', { class: `v-${wanted}` }, `${SIGN[wanted]} ${many} ${verb}`), list];
  }

  items(nodes, line) {
    return groups(nodes).map((group) => this.item(group, line));
  }

  /** One or more moves with the answer to them; the boards and the play after them are drawn when it is opened. */
  item({ moves, first }, line) {
    const path = [...line, first.move];
    const head = make('strong', {}, listed(moves));
    if (first.shown !== 'answer') return this.branch(moves, [head, ` ${this.ends(first, moves.length > 1)}`], path, first);
    const [answer] = first.moves;
    return this.branch(moves, [head, `: ${this.name(answer.by)} answers ${answer.move}${this.tail(answer)}`], [...path, answer.move], answer);
  }

  branch(moves, summary, path, node) {
    const box = make('details', { 'data-moves': moves.join(' ') }, make('summary', {}, make('span', {}, ...summary)));
    box.addEventListener('toggle', () => {
      if (box.open && box.childElementCount === 1) this.unroll(box, path, node);
    });
    return make('li', { 'data-shown': node.shown }, box);
  }

  /** Draws the board after the moves, and lists the moves that follow. */
  unroll(box, path, node) {
    const figure = make('figure', { class: 'why-board' });
    const visit = make('button', { type: 'button', onclick: () => this.visit(path) }, node.shown === 'proven' ? 'See why' : 'Go there');
    box.append(make('div', { class: 'why-at' }, figure, make('p', {}, this.after(node), ' ', visit)));
    this.steps(path).then((steps) => { figure.innerHTML = bare(steps.at(-1).svg); }, () => figure.remove());
    if (node.moves.length) box.append(make('ul', { class: 'why-moves' }, ...this.items(node.moves, path)));
  }

  /** What a board says below it. */
  after(node) {
    if (node.shown === 'end') return node.winner ? `${this.name(node.winner)} has won.` : 'The game is drawn.';
    if (node.shown === 'every') return `${this.name(node.mover)} to move; every defence:`;
    return `${this.worth(node)}: proven.`;
  }

  worth({ winner, plies: left }) {
    return winner ? `${this.name(winner)} wins${left ? ` in ${plies(left)}` : ''}` : 'A draw';
  }

  /** How moves without an answer in the tree end. */
  ends(node, many) {
    const verb = (one, more) => (many ? more : one);
    if (node.shown === 'end') return `${verb('ends', 'end')} the game: ${node.winner ? `${this.name(node.winner)} wins` : 'a draw'}`;
    if (node.shown === 'every') return 'wins: every defence is answered';
    if (node.shown === 'open') return 'is not proven';
    if (!node.winner) return `${verb('draws', 'draw')}: proven`;
    const how = node.winner === node.by ? verb('wins', 'win') : verb('loses', 'lose');
    return `${how}${node.plies === null ? '' : ` in ${plies(node.plies + 1)}`}: proven`;
  }

  /** What an answer achieves. */
  tail(answer) {
    if (answer.shown === 'end') return answer.winner ? ' and wins' : ': a draw';
    if (!answer.winner) return ' and holds the draw';
    return answer.shown === 'every' ? '' : ` and wins${answer.plies ? ` in ${plies(answer.plies)}` : ''}`;
  }

  async steps(moves) {
    const { steps } = await ask(address('/api/line', { game: this.game, pos: this.pos, moves: moves.join(' '), view: this.view, joins: this.joins }));
    return steps;
  }
}

/** A picture without places to click. */
export const bare = (svg) => svg.replace(/<g class="hits">.*<\/g><\/svg>/s, '</svg>').replace('role="group"', 'aria-hidden="true"');
