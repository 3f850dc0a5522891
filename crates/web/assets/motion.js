// Animates pieces between two pictures. A piece that left one place and appeared at another glides; other new pieces grow,
// and other old ones fade. It works for any game, forwards and backwards.

const NS = 'http://www.w3.org/2000/svg';
/** The longest animation, in milliseconds. */
export const LONGEST = 200;

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The pieces of a picture by place, from bottom to top. */
export function pieces(svg) {
  const places = new Map();
  for (const stack of svg?.querySelectorAll('.stack') ?? []) {
    places.set(Number(stack.dataset.at), [...stack.children].map((element) => {
      const { e: x, f: y } = element.transform.baseVal[0].matrix;
      const [owner, shape] = element.classList;
      return { element, x, y, owner, shape, place: Number(stack.dataset.at) };
    }));
  }
  return places;
}

const same = (a, b) => a.owner === b.owner && a.shape === b.shape;

/** The pieces that disappeared, appeared and stayed. Pieces that are unchanged from the bottom of a stack stay. */
function changes(before, after) {
  const [gone, come, stayed] = [[], [], []];
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(place) ?? [], after.get(place) ?? []];
    let kept = 0;
    while (kept < was.length && kept < is.length && same(was[kept], is[kept])) {
      stayed.push([was[kept], is[kept]]);
      kept += 1;
    }
    gone.push(...was.slice(kept));
    come.push(...is.slice(kept));
  }
  return { gone, come, stayed };
}

/** The index of a place on the path of the move. */
const along = (path, place) => {
  const at = path.lastIndexOf(place);
  return at < 0 ? path.length : at;
};

/** Matches pieces before and after the move, from the bottom up and along the path of the move. */
function pairs(gone, come, path) {
  const order = [...gone].sort((a, b) => along(path, a.place) - along(path, b.place));
  const left = [...come].sort((a, b) => along(path, a.place) - along(path, b.place));
  const moved = [];
  for (const from of order) {
    // A move may flatten a wall.
    const to = left.find((piece) => same(piece, from)) ?? left.find((piece) => piece.owner === from.owner && piece.place === from.place);
    if (!to) continue;
    left.splice(left.indexOf(to), 1);
    moved.push([from, to]);
  }
  const done = new Set(moved.map(([from]) => from));
  return { moved, lost: gone.filter((piece) => !done.has(piece)), won: left };
}

const at = ({ x, y }, more = '') => `translate(${x}px, ${y}px)${more}`;

/** Animates the pieces of the picture in `box` from their places `before`. */
export function glide(box, before, path) {
  const svg = box.querySelector('svg');
  if (!svg || still() || typeof svg.animate !== 'function') return;
  const { gone, come, stayed } = changes(before, pieces(svg));
  const { moved, lost, won } = pairs(gone, come, path);
  // The layer lies above the still pieces and below the click targets.
  const layer = document.createElementNS(NS, 'g');
  layer.setAttribute('class', 'moving');
  svg.insertBefore(layer, svg.querySelector('.over'));
  const far = Math.max(1, ...moved.map(([from, to]) => Math.hypot(to.x - from.x, to.y - from.y)));
  const timing = { duration: LONGEST, easing: 'ease-out', fill: 'backwards' };
  const running = [];
  for (const [from, to] of moved) {
    // All pieces move at one speed, so a stack moves square by square and drops pieces on the way.
    const long = LONGEST * Math.max(0.4, Math.hypot(to.x - from.x, to.y - from.y) / far);
    const copy = layer.appendChild(to.element.cloneNode(true));
    const options = { ...timing, easing: moved.length > 1 ? 'linear' : 'ease-in-out', duration: long, fill: 'both' };
    running.push(copy.animate([{ transform: at(from) }, { transform: at(to) }], options));
    running.push(to.element.animate([{ opacity: 0 }, { opacity: 0 }], { ...timing, easing: 'linear' }));
  }
  for (const [from, to] of stayed) {
    if (from.y !== to.y) running.push(to.element.animate([{ transform: at(from) }, { transform: at(to) }], timing));
  }
  for (const piece of lost) {
    const copy = layer.appendChild(piece.element.cloneNode(true));
    running.push(copy.animate([{ opacity: 1 }, { opacity: 0, transform: at(piece, ' scale(.7)') }], { ...timing, fill: 'both' }));
  }
  for (const piece of won) {
    running.push(piece.element.animate([{ opacity: 0.2, transform: at(piece, ' scale(.5)') }, { opacity: 1, transform: at(piece) }], timing));
  }
  Promise.allSettled(running.map((one) => one.finished)).then(() => layer.remove());
}
