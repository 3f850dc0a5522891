// The pieces beside the board: those in hand, and a stone that a further click changes.

import { make } from './app.js';
import { kind } from './board.js';
import { $, data, named, showError, side, state } from './state.js';
import { after, board, go } from './walk.js';

/** The pieces beside the board, and what counts for each side. */
export function trays({ trays: all = [] }) {
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
export function recycle(node) {
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
