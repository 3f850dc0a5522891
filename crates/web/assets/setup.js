// The position editor: place pieces on the board or edit the text; the rules decide whether it is legal.

import { address, ask, make, notice } from './app.js';

export function setUp(box, fold, board, game, names, state, begin, leave) {
  let piece = '.';
  let draft = '';
  let legal = null;

  const text = make('input', { 'aria-label': 'The position as text', spellcheck: 'false' });
  const why = make('p', { class: 'notice', role: 'alert', hidden: true });
  const start = make('button', { type: 'button', class: 'main', disabled: true }, 'Play from here');
  const clear = make('button', { type: 'button' }, 'Starting position');
  const swap = make('button', { type: 'button', hidden: true, title: 'The same board with the other side to move' }, 'Switch side to move');
  const says = make('p', { class: 'quiet-text draft-status' });
  const hands = make('div', { class: 'hands' });
  const palette = make('div', { class: 'palette', role: 'group', 'aria-label': 'Pieces' });

  async function change(query) {
    try {
      const seen = await ask(address('/api/draft', { game, text: draft, view: state().view, ...query }));
      draft = seen.text;
      text.value = draft;
      legal = seen.legal ? seen.pos : null;
      start.disabled = !seen.legal;
      notice(why, '');
      says.textContent = '';
      swap.hidden = !seen.swaps;
      counters(seen.hands);
      heaps();
      parts();
      // A board that is half set up is no mistake: what is missing is said quietly.
      says.textContent = seen.status ? `Legal position; ${names.reduce((said, name) => (name.length === 1 ? said.replace(new RegExp(`^${name}(?= )`), name.toUpperCase()) : said), seen.status)}.` : `Not yet a legal position: ${seen.why ?? ''}`;
      if (seen.svg) board.show(seen.svg, [], board.labels);
    } catch (error) {
      notice(why, error.message);
    }
  }

  /** The men that each side still has to place. */
  function counters(inHand) {
    hands.replaceChildren(...(inHand ?? []).map((count, i) => {
      const set = (value) => change({ hands: inHand.map((old, j) => (j === i ? Math.max(0, value) : old)).join('-') });
      return make('span', {}, `${names[i]}: ${count} in hand `,
        make('button', { type: 'button', 'aria-label': `One less in hand for ${names[i]}`, disabled: !count, onclick: () => set(count - 1) }, '−'),
        make('button', { type: 'button', 'aria-label': `One more in hand for ${names[i]}`, onclick: () => set(count + 1) }, '+'));
    }));
    hands.hidden = !inHand;
  }

  /** Heaps are set up by their sizes: `3+5@second`. */
  function heaps() {
    const read = /^(\d+(?:\+\d+)*)(@second)?$/.exec(draft);
    if (!read || palette.childElementCount) return;
    const sizes = read[1].split('+').map(Number);
    const write = (list, other = read[2] ?? '') => {
      draft = list.join('+') + other;
      change({});
    };
    hands.hidden = false;
    hands.replaceChildren(
      ...sizes.map((size, i) => make('label', {}, `${i + 1}: `, make('input', { type: 'number', min: 0, max: 99, value: size, 'aria-label': `Heap ${i + 1}`,
        onchange: (event) => write(sizes.map((old, j) => (j === i ? Number(event.target.value) : old))) }))),
      make('button', { type: 'button', onclick: () => write([...sizes, 1]) }, 'Add a heap'),
      make('button', { type: 'button', onclick: () => write(sizes, read[2] ? '' : '@second') }, `To move: ${names[read[2] ? 1 : 0]}`),
    );
  }

  /** A sum is set up part by part: heaps by their sizes, boards by their cells. */
  function parts() {
    const read = /^(\(.*\))(@second)?$/.exec(draft);
    if (!read || palette.childElementCount) return;
    const list = read[1].slice(1, -1).split(')+(');
    const write = (i, part, other = read[2] ?? '') => {
      draft = `(${list.map((old, j) => (j === i ? part : old)).join(')+(')})${other}`;
      change({});
    };
    const numbers = (part, i) => {
      const sizes = part.split('+');
      return sizes.map((size, at) => make('input', { type: 'number', min: 0, max: 99, value: size, 'aria-label': `Part ${i + 1}, heap ${at + 1}`,
        onchange: (event) => write(i, sizes.map((old, j) => (j === at ? event.target.value || '0' : old)).join('+')) }));
    };
    // The letter of a covered cell is `#` on boards of tiles, and `X` in a row of crosses.
    const cells = (part, i) => part.split('/').map((row, y, rows) => make('span', { class: 'cells' }, ...[...row].map((cell, x) => make('button', {
      type: 'button', 'aria-pressed': cell !== '.', 'aria-label': `Part ${i + 1}, row ${y + 1}, cell ${x + 1}`,
      onclick: () => {
        const mark = cell === '.' ? (rows.length > 1 ? '#' : 'X') : '.';
        write(i, rows.map((old, j) => (j === y ? old.slice(0, x) + mark + old.slice(x + 1) : old)).join('/'));
      },
    }, cell === '.' ? '' : '■'))));
    hands.hidden = false;
    hands.replaceChildren(
      ...list.map((part, i) => make('div', { class: 'part' }, `${i + 1}: `, ...(/^[\d+]+$/.test(part) ? numbers(part, i) : cells(part, i)))),
      make('button', { type: 'button', onclick: () => write(-1, '', read[2] ? '' : '@second') }, `To move: ${names[read[2] ? 1 : 0]}`),
    );
  }

  function choose(chosen) {
    piece = chosen;
    for (const button of palette.children) button.setAttribute('aria-pressed', button.dataset.piece === chosen);
  }

  async function open() {
    const at = state().at;
    draft = at.pos;
    if (!palette.childElementCount) {
      const found = await ask(address('/api/setup', { game }));
      const buttons = found.pieces.map(({ piece: name, svg, says }) => {
        const button = make('button', { type: 'button', 'data-piece': name, title: says.replace(/^a1, /, ''), onclick: () => choose(name) });
        button.innerHTML = svg.replace(/<g class="hits">.*<\/g><\/svg>/s, '</svg>');
        return button;
      });
      if (buttons.length) {
        const erase = make('button', { type: 'button', 'data-piece': '.', title: 'Remove a piece', onclick: () => choose('.') }, '⌫');
        palette.replaceChildren(...buttons, erase);
        choose(found.pieces[0].piece);
      }
    }
    board.edit = palette.childElementCount ? (place) => change({ place, put: piece }) : () => {};
    await change({});
  }

  fold.addEventListener('toggle', () => {
    if (fold.open) open();
    else if (board.edit) {
      board.edit = null;
      leave();
    }
  });
  text.addEventListener('input', () => {
    draft = text.value;
    change({});
  });
  clear.addEventListener('click', () => {
    draft = 'start';
    change({});
  });
  swap.addEventListener('click', () => change({ swap: true }));
  start.addEventListener('click', async () => {
    const pos = legal;
    board.edit = null;
    fold.open = false;
    if (pos) await begin(pos);
  });
  box.append(palette, hands, text, why, says, make('div', { class: 'buttons' }, start, swap, clear));
}
