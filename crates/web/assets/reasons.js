// *Why?* away from the board: every element with `data-why` unrolls the reasons for a position behind it.

import { address, make } from './app.js';
import { Why } from './why.js';

/** Shows or hides the reasons behind a button. */
export function toggle(button) {
  // A strip of boards scrolls sideways: the reasons stand below it.
  const block = button.closest('ol.trace') ?? button.closest('li, p, .buttons') ?? button;
  const old = block.nextElementSibling;
  if (old?.matches('.why')) {
    const same = old.dataset.of === button.dataset.move + button.dataset.pos;
    old.remove();
    button.setAttribute('aria-expanded', 'false');
    if (same) return;
  }
  const { game, pos, move } = button.dataset;
  const box = make(block.matches('li') ? 'li' : 'section', { class: 'fold why', 'data-of': move + pos, 'aria-label': 'Why?' });
  block.after(box);
  button.setAttribute('aria-expanded', 'true');
  const why = new Why(box, game, ['', ''], (moves) => { location.href = address(`/g/${encodeURI(game)}`, { pos, moves: moves.join(' '), values: 1 }); });
  box.scrollIntoView({ block: 'nearest' });
  why.show({ pos, move: move || undefined, view: 0 });
}

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-why]');
  // A new tab is a new tab.
  if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  toggle(button);
});
