// The board: turns clicks into moves, for any game.
//
// Every legal move has a path of places, and perhaps others that mean the same. The clicked places are a prefix of the
// path. If no path has this prefix, they may lie anywhere on it (a tile is chosen by its cells in any order). A piece can
// also be dragged from the first place of a path to the last.

import { announce, make } from './app.js';
import { glide, pieces } from './motion.js';

const NS = 'http://www.w3.org/2000/svg';

/** A number that is larger for better values, seen by the side to move. */
export function preference(worth) {
  const plies = worth.plies ?? 0;
  return { win: 2000 - plies, draw: 1000, loss: plies }[worth.value];
}

/** The expected score of an estimate, from 0 to 1. */
export function share(move) {
  if (move.score.share !== undefined) return move.score.share;
  return 1 / (1 + Math.exp(-move.score.points / 200));
}

/** A value in words: `▲ win in 5 plies`. */
export function verdict({ sign, value, plies }) {
  const distance = value === 'draw' || !plies ? '' : ` in ${plies} ${plies === 1 ? 'ply' : 'plies'}`;
  return `${sign.slice(0, 1)} ${value}${distance}`;
}

/** 950, 1.2k, 34k, 5.6M. */
export function short(n) {
  if (n < 1000) return `${n}`;
  const [scaled, unit] = n < 1e6 ? [n / 1e3, 'k'] : [n / 1e6, 'M'];
  return `${scaled < 10 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}

/** The centre of a mark in a picture. */
function centreOf(mark) {
  const number = (name) => Number(mark.getAttribute(name) ?? 0);
  return [mark.hasAttribute('cx') ? number('cx') : number('x') + number('width') / 2, mark.hasAttribute('cy') ? number('cy') : number('y') + number('height') / 2];
}

/** The kind of piece that a move places: `Sc3` is a wall, `Cc3` a capstone. */
export const kind = (mv) => ({ S: 'wall', C: 'cap' }[/^[SC](?=[a-z])/.exec(mv)?.[0]] ?? 'flat');

export class Board {
  constructor(box, menu, play) {
    this.box = box;
    this.menu = menu;
    this.play = play;
    this.clicked = [];
    this.moves = [];
    this.worth = null;
    this.guesses = new Map();
    this.enabled = true;
    this.edit = null;
    /** In games with several kinds of pieces in hand: the kind that the next click places. */
    this.piece = '';
    /** After a placement that a further click changes: its place, and what to do. */
    this.again = null;
    /** Says why a click or a drag does nothing. */
    this.refused = announce;
    /** Changes a picture before it is shown. */
    this.prepare = null;
    this.roads = false;
    this.ghost = null;
    this.ticket = 0;
    this.focused = 0;
    this.keepFocus = false;
    // After a click the arrow keys step through the game; after Tab they move over the board.
    this.byMouse = true;
    addEventListener('pointerdown', () => { this.byMouse = true; });
    addEventListener('keydown', (event) => { if (event.key === 'Tab') this.byMouse = false; }, { capture: true });
    box.addEventListener('click', (event) => {
      const hit = event.target.closest('.hit');
      if (hit) this.click(Number(hit.dataset.place));
    });
    box.addEventListener('pointerdown', (event) => this.grab(event));
    box.addEventListener('pointerover', (event) => this.hover(event.target.closest?.('.hit')));
    box.addEventListener('pointerleave', () => this.hover(null));
    // A screen reader or a link brings the focus to the box: the board has it then.
    box.addEventListener('focus', () => {
      this.byMouse = false;
      this.places?.[this.focused]?.focus();
    });
    box.addEventListener('keydown', (event) => this.key(event));
    addEventListener('resize', () => this.scale());
    this.peek = make('div', { class: 'peek', hidden: true, 'aria-hidden': 'true' });
    document.body.append(this.peek);
    for (const come of ['pointerover', 'focusin']) box.addEventListener(come, (event) => this.look(event.target.closest?.('.hit')));
    for (const leave of ['pointerleave', 'focusout']) box.addEventListener(leave, () => this.look(null));
    document.addEventListener('click', (event) => {
      if (!menu.contains(event.target) && !box.contains(event.target)) this.hideMenu();
    });
  }

  /** Shows a position. With the path of a move, the pieces are animated from the previous position. */
  show(svg, moves, labels, path) {
    this.keepFocus = !this.byMouse && this.box.contains(document.activeElement);
    const before = path ? pieces(this.box.querySelector('svg')) : null;
    this.look(null);
    this.box.innerHTML = svg;
    this.prepare?.(this.box.querySelector('svg'));
    this.scale();
    this.ticket += 1;
    this.original = null;
    this.again = null;
    this.ghost = null;
    if (before) glide(this.box, before, path);
    // A stack is drawn when you point at it, so the tooltip is removed.
    this.stacks = pieces(this.box.querySelector('svg'));
    for (const [place, stack] of this.stacks) {
      if (stack.length > 1) this.box.querySelector(`.hit[data-place="${place}"] title`)?.remove();
    }
    // One entry for each way to click a move.
    this.moves = moves.flatMap(({ mv, path, also }) => [path, ...(also ?? [])].map((one) => ({ mv, path: one })));
    this.labels = labels ?? [];
    // If the places of every path increase, their order has no meaning: a tile is a set of cells.
    this.sets = moves.some(({ path }) => path.length > 1)
      && moves.every(({ path }) => path.every((place, i) => i === 0 || path[i - 1] < place));
    this.clicked = [];
    this.worth = null;
    this.guesses = new Map();
    this.hints = [];
    this.arrows = [];
    this.hideMenu();
    this.places = [...this.box.querySelectorAll('.hit')];
    if (this.focused >= this.places.length) this.focused = 0;
    this.places[this.focused]?.setAttribute('tabindex', '0');
    if (this.keepFocus) this.places[this.focused]?.focus({ preventScroll: true });
    this.paint();
  }

  /** Marks the places of the last move: a square of the board, or a ring where there are points or holes. */
  lastMove(path) {
    const svg = this.box.querySelector('svg');
    const above = svg?.querySelector('.dot, .stack, .over');
    // The row that decided the game is marked already, and stays whole.
    const decisive = [...(svg?.querySelectorAll('.decisive') ?? [])].map(centreOf);
    for (const place of new Set(path)) {
      const hit = this.places[place];
      if (!hit) continue;
      const [x, y] = [Number(hit.dataset.x), Number(hit.dataset.y)];
      if (decisive.some((at) => Math.hypot(at[0] - x, at[1] - y) < 8)) continue;
      const round = hit.tagName === 'circle' || svg.classList.contains('upright');
      const mark = document.createElementNS(NS, round ? 'circle' : 'rect');
      const form = round ? { cx: x, cy: y, r: this.stacks.has(place) ? 28 : 12 } : { x: x - 31, y: y - 31, width: 62, height: 62 };
      for (const [key, value] of Object.entries(form)) mark.setAttribute(key, value);
      mark.setAttribute('class', round ? 'last ring' : 'last');
      svg.insertBefore(mark, above);
    }
  }

  /** Draws the stack at a place piece by piece, as a column. */
  look(hit) {
    const stack = hit ? this.stacks?.get(Number(hit.dataset.place)) : undefined;
    this.peek.hidden = !stack || stack.length < 2 || this.clicked.length > 0;
    if (this.peek.hidden) return;
    const [step, high] = [10, 24 + 10 * Math.min(stack.length, 40)];
    const picture = document.createElementNS(NS, 'svg');
    picture.setAttribute('viewBox', `0 0 64 ${high}`);
    picture.setAttribute('width', 64);
    picture.setAttribute('height', high);
    picture.setAttribute('class', this.box.querySelector('svg').getAttribute('class').replace('upright', ''));
    stack.slice(-40).forEach(({ owner, shape }, level) => {
      const y = high - 4 - step * (level + 1);
      const group = document.createElementNS(NS, 'g');
      group.setAttribute('class', owner);
      const standing = { wall: [27, 10, 22], cap: [24, 16, 18] }[shape];
      const [x, wide, tall] = standing ?? [12, 40, step];
      const bar = document.createElementNS(NS, 'rect');
      const attributes = { class: 'man', x, y: y + step - tall, width: wide, height: tall, rx: shape === 'cap' ? 8 : 3 };
      for (const [key, value] of Object.entries(attributes)) bar.setAttribute(key, value);
      group.append(bar);
      picture.append(group);
    });
    this.peek.replaceChildren(picture, make('span', {}, `${stack.length} pieces`));
    const box = hit.getBoundingClientRect();
    const left = box.right + 8 + this.peek.offsetWidth < innerWidth ? box.right + 8 : box.left - 8 - this.peek.offsetWidth;
    this.peek.style.left = `${Math.max(4, left) + scrollX}px`;
    this.peek.style.top = `${Math.max(4, Math.min(box.top, innerHeight - this.peek.offsetHeight - 4)) + scrollY}px`;
  }

  /** Tells the style sheet how many units of the picture a pixel is, so that labels stay readable on small boards. */
  scale() {
    const svg = this.box.querySelector('svg');
    const { width, height } = svg?.viewBox.baseVal ?? {};
    const [wide, high] = [this.box.clientWidth - 16, this.box.clientHeight - 16];
    if (width && wide > 0 && high > 0) svg.style.setProperty('--u', Math.max(width / wide, height / high));
  }

  /** On an upright board, a click anywhere in a column means its lowest free place. */
  falls(place) {
    if (!this.box.querySelector('svg.upright') || this.clicked.length) return place;
    const column = this.labels[place]?.[0];
    return [...this.next().keys()].find((target) => this.labels[target]?.[0] === column) ?? place;
  }

  /** The moves that the clicked places may still become. */
  candidates(clicked = this.clicked) {
    const count = (list, place) => list.filter((one) => one === place).length;
    const within = ({ path }) => clicked.every((place) => count(clicked, place) <= count(path, place));
    if (this.sets) return this.moves.filter(within);
    const begins = this.moves.filter(({ path }) => clicked.every((place, i) => path[i] === place));
    if (begins.length || !clicked.length) return begins;
    return this.moves.filter(within);
  }

  /** The moves that the clicked places are, each once. */
  complete(left) {
    const whole = left.filter(({ path }) => path.length === this.clicked.length);
    return whole.filter((move, i) => whole.findIndex(({ mv }) => mv === move.mv) === i);
  }

  /** Places that can be clicked next, each with the moves through it. */
  next() {
    const places = new Map();
    const inOrder = !this.sets && this.moves.some(({ path }) => this.clicked.every((place, i) => path[i] === place));
    for (const move of this.candidates()) {
      const rest = inOrder
        ? [move.path[this.clicked.length]]
        : move.path.filter((place, i) => move.path.slice(0, i + 1).filter((one) => one === place).length
          > this.clicked.filter((one) => one === place).length);
      // At the first click, any place of a tile may be chosen.
      for (const place of rest) {
        if (place === undefined) continue;
        if (!places.has(place)) places.set(place, []);
        if (!places.get(place).some(({ mv }) => mv === move.mv)) places.get(place).push(move);
      }
    }
    return places;
  }

  click(place) {
    this.focus(place);
    if (this.edit) return this.edit(place);
    if (this.again?.place === place && !this.clicked.length) return this.again.act();
    if (!this.enabled) return undefined;
    place = this.falls(place);
    // A second click on the same place of a set means: this is all of it.
    const so = this.sets && this.clicked.at(-1) === place ? this.complete(this.candidates()) : [];
    if (so.length === 1) return this.play(so[0].mv);
    const tried = [...this.clicked, place];
    let left = this.candidates(tried);
    if (!left.length && this.clicked.length) {
      // The click does not continue the move: start again from this place, or cancel.
      this.clicked = [];
      this.restore();
      this.hideMenu();
      left = this.candidates([place]);
      if (!left.length || place === tried[0]) return this.paint();
      this.clicked = [place];
    } else if (left.length) {
      this.clicked = tried;
    } else {
      this.refused(`No legal move at ${this.labels[place]}.`);
      this.places[place]?.classList.add('refused');
      setTimeout(() => this.places[place]?.classList.remove('refused'), 300);
      return undefined;
    }
    const complete = this.complete(left);
    const more = left.some(({ path }) => path.length > this.clicked.length);
    if (complete.length === 1 && !more) return this.play(complete[0].mv);
    const placed = !more && this.placed(complete);
    if (placed) return this.play(placed.mv);
    this.paint();
    this.carry(complete);
    if (complete.length) this.ask(place, complete, more);
    else {
      this.hideMenu();
      announce(`${this.labels[place]} selected; choose one of ${this.next().size} places`);
    }
    return undefined;
  }

  /** Of moves that place different kinds of pieces, the one that places the chosen kind. */
  placed(complete) {
    if (!this.piece) return undefined;
    return complete.find(({ mv }) => kind(mv) === this.piece) ?? complete.find(({ mv }) => kind(mv) === 'flat');
  }

  /** Lifts the stack that was picked up, or shows the board with the pieces dropped so far. */
  async carry(complete) {
    const svg = this.box.querySelector('svg');
    const stack = this.stacks.get(this.clicked[0]);
    if (!svg || !stack || this.sets || !this.candidates().some(({ path }) => path.length > 1)) return;
    if (this.clicked.length === 1) {
      const most = Math.max(...this.candidates().map(({ path }) => path.length - 1));
      stack.slice(-Math.max(1, most)).forEach(({ element }) => element.classList.add('lifted'));
    }
    if (!complete.length || !this.preview) return;
    const ticket = (this.ticket += 1);
    const seen = await this.preview(complete[0].mv).catch(() => null);
    if (!seen || ticket !== this.ticket || !this.clicked.length) return;
    const before = pieces(svg);
    const parts = '.stack, .tall, .many';
    this.original ??= [...svg.querySelectorAll(parts)];
    const picture = new DOMParser().parseFromString(seen, 'text/html').querySelector('svg');
    svg.querySelectorAll(parts).forEach((part) => part.remove());
    svg.querySelector('.over').before(...picture.querySelectorAll(parts));
    glide(this.box, before, this.clicked);
  }

  /** Puts pieces that were lifted or dropped back where they were. */
  restore() {
    const svg = this.box.querySelector('svg');
    this.ticket += 1;
    svg?.querySelectorAll('.lifted').forEach((one) => one.classList.remove('lifted'));
    if (!this.original || !svg) return;
    svg.querySelectorAll('.stack, .tall, .many').forEach((part) => part.remove());
    svg.querySelector('.over').before(...this.original);
    this.original.forEach((part) => part.querySelectorAll('.lifted').forEach((one) => one.classList.remove('lifted')));
    this.original = null;
  }

  /** The pointer is over a place: shows the tile that it would complete. */
  hover(hit) {
    const place = hit ? Number(hit.dataset.place) : null;
    if (!this.sets || this.ghost === place) return;
    this.ghost = place;
    this.paint();
  }

  /** Begins to drag a piece, once the pointer has moved far enough. */
  grab(event) {
    const hit = event.target.closest?.('.hit');
    const from = hit ? Number(hit.dataset.place) : -1;
    if (!this.enabled || this.edit || event.button !== 0 || this.clicked.length || !this.stacks?.has(from)) return;
    if (!this.moves.some(({ path }) => path.length > 1 && path[0] === from)) return;
    this.drag(event, this.stacks.get(from).map(({ element }) => element), (to) => this.drop(from, to));
  }

  /** Moves copies of some elements with the pointer, and says where they are dropped. */
  drag(event, elements, dropped) {
    const [x, y] = [event.clientX, event.clientY];
    let flying = null;
    const move = (now) => {
      if (!flying && Math.hypot(now.clientX - x, now.clientY - y) < 8) return;
      if (!flying) {
        flying = make('div', { class: 'flying', 'aria-hidden': 'true' });
        const svg = document.createElementNS(NS, 'svg');
        svg.setAttribute('viewBox', '-32 -42 64 74');
        svg.setAttribute('class', this.box.querySelector('svg').getAttribute('class') ?? 'board');
        elements.forEach((element, i) => {
          const copy = element.cloneNode(true);
          copy.setAttribute('transform', `translate(0 ${-Math.min(8, 24 / elements.length) * i})`);
          svg.append(copy);
          element.classList.add('away');
        });
        const size = this.places[0]?.getBoundingClientRect().width ?? 64;
        flying.style.width = `${size}px`;
        flying.append(svg);
        document.body.append(flying);
      }
      now.preventDefault();
      flying.style.left = `${now.clientX}px`;
      flying.style.top = `${now.clientY}px`;
    };
    const end = (now) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      elements.forEach((element) => element.classList.remove('away'));
      if (!flying) return;
      flying.remove();
      const hit = document.elementFromPoint(now.clientX, now.clientY)?.closest?.('.hit');
      if (now.type === 'pointerup' && hit && this.box.contains(hit)) dropped(Number(hit.dataset.place));
    };
    addEventListener('pointermove', move, { passive: false });
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  /** A piece was dragged from one place to another. */
  drop(from, to) {
    if (from === to) return;
    const meant = this.moves.filter(({ path }) => path[0] === from && path.at(-1) === to && path.length > 1);
    const straight = this.moves.filter(({ path }) => path[0] === from && path[1] === to);
    // A whole stack moves together.
    const whole = meant.filter(({ path }) => path.slice(1).every((place) => place === to));
    whole.sort((a, b) => b.path.length - a.path.length);
    if (whole.length) this.play(whole[0].mv);
    else if (meant.length === 1) this.play(meant[0].mv);
    else if (straight.length) {
      // A capture follows: it is clicked.
      this.click(from);
      this.click(to);
    } else if (meant.length) {
      this.clicked = [from];
      this.ask(to, meant, false);
    } else this.refused(`No legal move from ${this.labels[from]} to ${this.labels[to]}.`);
  }

  /** A small menu of moves at a place. */
  ask(place, moves, more) {
    const hit = this.places[place].getBoundingClientRect();
    const sorted = [...moves].slice(0, 40);
    // Counters that are clicked one by one: the button says how many are taken.
    const counters = this.stacks.get(place)?.[0]?.owner === 'neutral' && this.clicked.length > 0 && sorted.length === 1;
    this.menu.replaceChildren(
      ...sorted.map(({ mv }) => {
        const worth = this.worth?.get(mv);
        return make('button', { type: 'button', role: 'menuitem', onclick: () => this.play(mv) },
          this.icon(place, mv, sorted.length), counters ? `Take ${this.clicked.length}: ${mv}` : mv, worth ? make('span', { class: `v-${worth.value}` }, ` ${worth.sign}`) : '');
      }),
      ...(more ? [make('small', {}, '… or keep clicking')] : []),
    );
    this.menu.hidden = false;
    const wide = this.menu.offsetWidth;
    // While the move may go on, the menu lies beside the board, so that it covers no place to click.
    const at = more ? this.box.getBoundingClientRect() : hit;
    const left = Math.max(8, Math.min(at.left + at.width / 2 - wide / 2, innerWidth - wide - 8));
    const below = at.bottom + 4 + this.menu.offsetHeight < innerHeight || more;
    this.menu.style.left = `${left + scrollX}px`;
    this.menu.style.top = `${(below ? at.bottom + 4 : Math.max(8, at.top - this.menu.offsetHeight - 4)) + scrollY}px`;
    announce(`Choose a move: ${sorted.map(({ mv }) => mv).join(', ')}`);
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

  /** A picture of the place after a move; empty if there is nothing to show or too many moves. */
  icon(place, mv, many) {
    if (many > 6 || !this.preview) return '';
    const box = make('span', { class: 'icon', 'aria-hidden': 'true' });
    const { x, y } = this.places[place].dataset;
    const before = this.stacks.get(place)?.length ?? 0;
    this.preview(mv).then((svg) => {
      const picture = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
      const stack = picture?.querySelector(`.stack[data-at="${place}"]`);
      if (!stack || stack.childElementCount <= before) {
        box.remove();
        return;
      }
      picture.replaceChildren(stack);
      picture.setAttribute('viewBox', `${x - 32} ${y - 32} 64 64`);
      box.append(picture);
    }, () => box.remove());
    return box;
  }

  hideMenu() {
    const focused = this.menu.contains(document.activeElement);
    this.menu.hidden = true;
    // The focus stays at the board.
    if (focused) this.places?.[this.focused]?.focus({ preventScroll: true });
  }

  /** Clears the selection; returns whether there was one. */
  cancel() {
    const some = this.clicked.length > 0 || !this.menu.hidden;
    this.clicked = [];
    this.restore();
    this.hideMenu();
    this.paint();
    return some;
  }

  /** Shows the proven values of the moves. */
  value(worth) {
    this.worth = worth ? new Map(worth.map((move) => [move.mv, move])) : null;
    this.paint();
  }

  /** Shows estimates of the moves, which look different from proven values. */
  guess(considered) {
    this.guesses = new Map(considered.map((move) => [move.move, move]));
    this.paint();
  }

  /** Points out moves: `best` ones and `bad` ones, as arrows if they lead from one place to another. */
  point(arrows) {
    this.arrows = arrows;
    this.paint();
  }

  /** Highlights moves. */
  hint(moves) {
    this.hints = moves.flatMap((mv) => this.moves.find((move) => move.mv === mv)?.path ?? []);
    this.paint();
  }

  /** Draws the overlay: targets, selected places, values. */
  paint() {
    const over = this.box.querySelector('.over');
    if (!over) return;
    over.replaceChildren();
    this.places.forEach((place) => {
      place.classList.remove('target', 'chosen', 'grab');
      place.removeAttribute('aria-description');
    });
    const add = (tag, attributes, text) => {
      const element = document.createElementNS(NS, tag);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      if (text !== undefined) element.textContent = text;
      over.append(element);
      return element;
    };
    if (this.guesses.size) {
      const hatch = add('pattern', { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' });
      const bar = document.createElementNS(NS, 'rect');
      for (const [key, value] of Object.entries({ class: 'hatch', width: 2, height: 6 })) bar.setAttribute(key, value);
      hatch.append(bar);
    }
    const centre = (place) => [Number(this.places[place].dataset.x), Number(this.places[place].dataset.y)];
    for (const place of this.hints ?? []) {
      const [x, y] = centre(place);
      add('circle', { class: 'hint', cx: x, cy: y, r: 28 });
    }
    for (const { path, kind } of this.arrows ?? []) {
      if (!path.length) continue;
      const [from, to] = [centre(path[0] ?? 0), centre(path.at(-1) ?? 0)];
      const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
      if (this.sets) {
        // A tile, or skittles: all that is covered or taken.
        for (const place of path) {
          const [x, y] = centre(place);
          add('rect', { class: `arrow ${kind}`, x: x - 28, y: y - 28, width: 56, height: 56, rx: 8 });
        }
        continue;
      }
      if (!far) {
        // A move at one place: a frame around it.
        add('rect', { class: `arrow ${kind}`, x: to[0] - 29, y: to[1] - 29, width: 58, height: 58, rx: 8 });
        continue;
      }
      // The head of the arrow ends at the rim of the place.
      const [dx, dy] = [(to[0] - from[0]) / far, (to[1] - from[1]) / far];
      const tip = [to[0] - 10 * dx, to[1] - 10 * dy];
      const wing = (way) => `${tip[0] - 18 * dx - way * 11 * dy} ${tip[1] - 18 * dy + way * 11 * dx}`;
      add('path', { class: `arrow ${kind}`, d: `M${from[0] + 14 * dx} ${from[1] + 14 * dy}L${tip[0]} ${tip[1]}M${wing(1)}L${tip[0]} ${tip[1]}L${wing(-1)}` });
    }
    const times = new Map();
    for (const place of this.clicked) times.set(place, (times.get(place) ?? 0) + 1);
    for (const [place, count] of times) {
      const [x, y] = centre(place);
      // Corners, not a ring: a ring can be a mark.
      const corner = (sx, sy) => `M${x + 29 * sx} ${y + 15 * sy}V${y + 29 * sy}H${x + 15 * sx}`;
      add('path', { class: 'clicked', d: [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([sx, sy]) => corner(sx, sy)).join('') });
      if (count > 1 || (place !== this.clicked[0] && this.clicked.length > 1)) add('text', { class: 'drops', x: x - 22, y: y - 22 }, `${count}`);
      this.places[place].classList.add('chosen');
    }
    if (this.roads) this.road(add);
    if (!this.enabled || this.edit) return;
    if (this.ghost !== null && this.sets) this.outline(add);
    const next = this.next();
    // Where almost every place can be chosen, marks on all of them say nothing.
    const quiet = !this.clicked.length && next.size > 12;
    for (const [place, moves] of next) {
      this.places[place].classList.add('target');
      const [x, y] = centre(place);
      const full = this.stacks.has(place);
      if (full && !this.clicked.length && moves.some(({ path }) => path.length > 1 && path[0] === place)) this.places[place].classList.add('grab');
      const known = this.worth ? moves.map(({ mv }) => this.worth.get(mv)).filter(Boolean) : [];
      if (known.length) {
        const best = known.reduce((a, b) => (preference(b) > preference(a) ? b : a));
        const [bx, by] = full ? [x + 12, y + 18] : [x, y];
        const text = best.sign;
        this.places[place].setAttribute('aria-description', `${best.mv}: ${verdict(best)}`);
        const wide = 14 + 9 * text.length;
        add('rect', { class: `badge b-${best.value}`, x: bx - wide / 2, y: by - 12, width: wide, height: 24, rx: 12 });
        add('text', { class: 'badge-text', x: bx, y: by + 1 }, text);
      } else if (moves.some(({ mv }) => this.guesses.has(mv))) {
        const seen = moves.map(({ mv }) => this.guesses.get(mv)).filter(Boolean);
        const best = seen.reduce((a, b) => (share(b) > share(a) ? b : a));
        const [bx, by] = full ? [x + 6, y + 16] : [x, y];
        this.places[place].setAttribute('aria-description', `${best.move}: estimate ${Math.round(100 * share(best))} %`);
        add('rect', { class: 'badge b-guess', x: bx - 25, y: by - 15, width: 50, height: 30, rx: 8, fill: 'url(#hatch)' });
        const text = add('text', { class: 'guess-text', x: bx, y: by - 5 }, `≈${Math.round(100 * share(best))}%`);
        add('text', { class: 'guess-text visits', x: bx, y: by + 8 }, short(best.visits));
        const title = document.createElementNS(NS, 'title');
        title.textContent = `${best.move}: estimate from ${best.visits} playouts`;
        text.append(title);
      } else if (!quiet && (this.clicked.length || this.stacks.get(place)?.[0]?.owner !== 'neutral')) {
        this.target(add, place, x, y, full);
      }
    }
  }

  /** The places of the first move through the pointer and the places clicked so far. */
  outline(add) {
    const wanted = this.clicked.includes(this.ghost) ? this.clicked : [...this.clicked, this.ghost];
    const move = this.candidates(wanted)[0];
    for (const place of move?.path ?? []) {
      const { x, y } = this.places[place].dataset;
      add('rect', { class: 'ghost', x: x - 28, y: y - 28, width: 56, height: 56, rx: 6 });
    }
  }

  /** Lines between neighbouring pieces that count for a road of their side. */
  road(add) {
    const tops = new Map([...this.stacks].map(([place, stack]) => [place, stack.at(-1)]));
    const counts = (piece) => piece && (piece.shape === 'flat' || piece.shape === 'cap');
    for (const [place, piece] of tops) {
      if (!counts(piece)) continue;
      const [x, y] = [Number(this.places[place].dataset.x), Number(this.places[place].dataset.y)];
      for (const [other, beside] of tops) {
        if (other <= place || !counts(beside) || beside.owner !== piece.owner) continue;
        const [ox, oy] = [Number(this.places[other].dataset.x), Number(this.places[other].dataset.y)];
        if (Math.abs(x - ox) + Math.abs(y - oy) !== 64) continue;
        add('path', { class: `road-edge ${piece.owner}`, d: `M${x} ${y}L${ox} ${oy}` });
        add('path', { class: `road ${piece.owner}`, d: `M${x} ${y}L${ox} ${oy}` });
      }
    }
  }

  /** Marks a click target: a dot on an empty place, a frame around a piece. */
  target(add, place, x, y, full) {
    const stack = this.stacks.get(place) ?? [];
    const round = this.places[place].tagName === 'circle' || (stack.length === 1 && stack[0].shape === 'disc');
    if (!full) add('circle', { class: 'legal-dot', cx: x, cy: y, r: (round ? 7 : 5) + (this.clicked.length ? 3 : 0) });
    else if (round) add('circle', { class: 'legal-ring', cx: x, cy: y, r: 27 });
    else add('rect', { class: 'legal-ring', x: x - 30, y: y - 30, width: 60, height: 60, rx: 6 });
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
    // Find the nearest place in that direction.
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
