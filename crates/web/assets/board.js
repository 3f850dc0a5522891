// The board: clicks become moves, whatever the game.
//
// Every legal move has a path of places. What was clicked so far is a prefix of it; where no path begins so, the
// clicked places may lie anywhere on it (a tile is named by its cells in any order).

import { announce, make } from './app.js';

const NS = 'http://www.w3.org/2000/svg';
const SIGNS = { win: '▲', draw: '■', loss: '▼' };

/** Larger is better for the mover. */
export function preference(worth) {
  const plies = worth.plies ?? 0;
  return { win: 2000 - plies, draw: 1000, loss: plies }[worth.value];
}

export class Board {
  constructor(box, menu, play) {
    this.box = box;
    this.menu = menu;
    this.play = play;
    this.clicked = [];
    this.moves = [];
    this.worth = null;
    this.enabled = true;
    this.edit = null;
    this.focused = 0;
    this.keepFocus = false;
    // After a click the arrows go through the game; after Tab they go over the board.
    this.byMouse = true;
    addEventListener('pointerdown', () => { this.byMouse = true; });
    addEventListener('keydown', (event) => { if (event.key === 'Tab') this.byMouse = false; }, { capture: true });
    box.addEventListener('click', (event) => {
      const hit = event.target.closest('.hit');
      if (hit) this.click(Number(hit.dataset.place));
    });
    box.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('click', (event) => {
      if (!menu.contains(event.target) && !box.contains(event.target)) this.hideMenu();
    });
  }

  /** Shows a position. */
  show(svg, moves, labels) {
    this.keepFocus = !this.byMouse && this.box.contains(document.activeElement);
    this.box.innerHTML = svg;
    this.moves = moves;
    this.labels = labels ?? [];
    this.clicked = [];
    this.worth = null;
    this.hints = [];
    this.hideMenu();
    this.places = [...this.box.querySelectorAll('.hit')];
    if (this.focused >= this.places.length) this.focused = 0;
    this.places[this.focused]?.setAttribute('tabindex', '0');
    if (this.keepFocus) this.places[this.focused]?.focus({ preventScroll: true });
    this.paint();
  }

  /** Moves that what was clicked may still mean. */
  candidates(clicked = this.clicked) {
    const begins = this.moves.filter(({ path }) => clicked.every((place, i) => path[i] === place));
    if (begins.length || !clicked.length) return begins;
    return this.moves.filter(({ path }) => new Set(clicked).size === clicked.length && clicked.every((place) => path.includes(place)));
  }

  /** Places that can be clicked next, each with the moves through it. */
  next() {
    const places = new Map();
    const inOrder = this.moves.some(({ path }) => this.clicked.every((place, i) => path[i] === place));
    for (const move of this.candidates()) {
      const rest = inOrder
        ? [move.path[this.clicked.length]]
        : move.path.filter((place) => !this.clicked.includes(place));
      // Nothing clicked yet: any place of a tile may be the first.
      for (const place of rest) {
        if (place === undefined) continue;
        if (!places.has(place)) places.set(place, []);
        places.get(place).push(move);
      }
    }
    return places;
  }

  click(place) {
    this.focus(place);
    if (this.edit) return this.edit(place);
    if (!this.enabled) return undefined;
    const tried = [...this.clicked, place];
    let left = this.candidates(tried);
    if (!left.length && this.clicked.length) {
      // A second thought: begin again here, or give up.
      this.clicked = [];
      left = this.candidates([place]);
      if (!left.length || place === tried[0]) return this.paint();
      this.clicked = [place];
    } else if (left.length) {
      this.clicked = tried;
    } else {
      announce(`nothing can be played at ${this.labels[place]}`);
      this.places[place]?.classList.add('refused');
      setTimeout(() => this.places[place]?.classList.remove('refused'), 300);
      return undefined;
    }
    const complete = left.filter(({ path }) => path.length === this.clicked.length);
    if (complete.length === 1 && left.length === 1) return this.play(complete[0].mv);
    this.paint();
    if (complete.length) this.ask(place, complete, left.length > complete.length);
    else {
      this.hideMenu();
      announce(`${this.labels[place]} chosen; ${this.next().size} places follow`);
    }
    return undefined;
  }

  /** A small menu of moves at a place. */
  ask(place, moves, more) {
    const hit = this.places[place].getBoundingClientRect();
    const sorted = [...moves].slice(0, 40);
    this.menu.replaceChildren(
      ...sorted.map(({ mv }) => {
        const worth = this.worth?.get(mv);
        return make('button', { type: 'button', role: 'menuitem', onclick: () => this.play(mv) },
          mv, worth ? make('span', { class: `v-${worth.value}` }, ` ${worth.sign}`) : '');
      }),
      ...(more ? [make('small', {}, 'or go on clicking')] : []),
    );
    this.menu.hidden = false;
    const wide = this.menu.offsetWidth;
    const left = Math.max(8, Math.min(hit.left + hit.width / 2 - wide / 2, innerWidth - wide - 8));
    const below = hit.bottom + 4 + this.menu.offsetHeight < innerHeight;
    this.menu.style.left = `${left + scrollX}px`;
    this.menu.style.top = `${(below ? hit.bottom + 4 : Math.max(8, hit.top - this.menu.offsetHeight - 4)) + scrollY}px`;
    announce(`which move: ${sorted.map(({ mv }) => mv).join(', ')}`);
    if (this.keepFocus || this.byKey) this.menu.querySelector('button')?.focus();
    this.menu.onkeydown = (event) => {
      const buttons = [...this.menu.querySelectorAll('button')];
      const at = buttons.indexOf(document.activeElement);
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        buttons[(at + (event.key === 'ArrowDown' ? 1 : buttons.length - 1)) % buttons.length].focus();
        event.preventDefault();
        event.stopPropagation();
      }
    };
  }

  hideMenu() {
    this.menu.hidden = true;
  }

  /** Forgets what was clicked. */
  cancel() {
    const some = this.clicked.length > 0 || !this.menu.hidden;
    this.clicked = [];
    this.hideMenu();
    this.paint();
    return some;
  }

  /** Shows what the moves are worth. */
  value(worth) {
    this.worth = worth ? new Map(worth.map((move) => [move.mv, move])) : null;
    this.paint();
  }

  /** Points at moves. */
  hint(moves) {
    this.hints = moves.flatMap((mv) => this.moves.find((move) => move.mv === mv)?.path ?? []);
    this.paint();
  }

  /** Draws what lies over the board: targets, what was clicked, values. */
  paint() {
    const over = this.box.querySelector('.over');
    if (!over) return;
    over.replaceChildren();
    this.places.forEach((place) => place.classList.remove('target', 'chosen'));
    const add = (tag, attributes, text) => {
      const element = document.createElementNS(NS, tag);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      if (text !== undefined) element.textContent = text;
      over.append(element);
      return element;
    };
    const centre = (place) => [Number(this.places[place].dataset.x), Number(this.places[place].dataset.y)];
    for (const place of this.hints ?? []) {
      const [x, y] = centre(place);
      add('circle', { class: 'hint', cx: x, cy: y, r: 28 });
    }
    const times = new Map();
    for (const place of this.clicked) times.set(place, (times.get(place) ?? 0) + 1);
    for (const [place, count] of times) {
      const [x, y] = centre(place);
      add('circle', { class: 'clicked', cx: x, cy: y, r: 29 });
      if (count > 1 || (place !== this.clicked[0] && this.clicked.length > 1)) add('text', { class: 'drops', x: x - 22, y: y - 22 }, `${count}`);
      this.places[place].classList.add('chosen');
    }
    if (!this.enabled || this.edit) return;
    for (const [place, moves] of this.next()) {
      this.places[place].classList.add('target');
      const [x, y] = centre(place);
      const known = this.worth ? moves.map(({ mv }) => this.worth.get(mv)).filter(Boolean) : [];
      if (known.length) {
        const best = known.reduce((a, b) => (preference(b) > preference(a) ? b : a));
        const occupied = !/, empty$/.test(this.places[place].getAttribute('aria-label'));
        const [bx, by] = occupied ? [x + 14, y + 18] : [x, y];
        const text = best.sign;
        const wide = 14 + 9 * text.length;
        add('rect', { class: `badge b-${best.value}`, x: bx - wide / 2, y: by - 12, width: wide, height: 24, rx: 12 });
        add('text', { class: 'badge-text', x: bx, y: by + 1 }, text);
      } else {
        add('circle', { class: 'legal-dot', cx: x, cy: y, r: this.clicked.length ? 10 : 7 });
      }
    }
  }

  focus(place) {
    this.places[this.focused]?.setAttribute('tabindex', '-1');
    this.focused = place;
    this.places[place]?.setAttribute('tabindex', '0');
  }

  key(event) {
    const at = this.places[this.focused];
    if (!at) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.byKey = true;
      this.click(this.focused);
      this.byKey = false;
      return;
    }
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || this.byMouse) return;
    event.preventDefault();
    event.stopPropagation();
    // The nearest place in that direction.
    const [x, y] = [Number(at.dataset.x), Number(at.dataset.y)];
    let best;
    this.places.forEach((place, i) => {
      const [dx, dy] = [Number(place.dataset.x) - x, Number(place.dataset.y) - y];
      const along = dx * step[0] + dy * step[1];
      const aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
      if (along > 0 && (!best || along + 2 * aside < best.far)) best = { i, far: along + 2 * aside };
    });
    if (best) {
      this.focus(best.i);
      this.places[best.i].focus();
    }
  }
}

export { SIGNS };
