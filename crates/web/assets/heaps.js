// Heaps that keep their places: what is taken leaves a gap, and the parts of a heap stay in its row. The server knows only
// how large the heaps are, and draws them in order.

/** The size of a place, and of the room around the board, as the server draws them. */
const [STEP, EDGE] = [64, 36];
/** Longer rows are not drawn counter by counter. */
const LONGEST = 24;

/** Every heap in a row of its own; null if they cannot be drawn so. */
export function rowsOf(heaps) {
  return heaps && heaps.every((heap) => heap <= LONGEST) ? heaps.map((size) => [{ size, gap: false }]) : null;
}

/** The heaps in the order of the server, each with its row and the counters to its left. */
function placed(rows) {
  const found = [];
  rows.forEach((row, y) => {
    let x = 0;
    for (const part of row) {
      if (!part.gap) found.push({ size: part.size, x, y, part });
      x += part.size;
    }
  });
  return found.sort((a, b) => a.size - b.size);
}

/** What is in one list and not in the other, as often as it is there. */
function without(list, others) {
  const left = [...others];
  return list.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The rows after a move. `touched` are the places that were clicked, where that is known. */
export function rowsAfter(rows, before, after, touched) {
  if (!rows || !after) return null;
  const [gone] = without(before, after);
  const left = without(after, before);
  if (gone === undefined) return rows;
  const columns = Math.max(...before);
  const heaps = placed(rows);
  const clicked = touched?.length ? Math.min(...touched) : null;
  const at = clicked === null ? null : heaps[Math.floor(clicked / columns)];
  const heap = at?.size === gone ? at : heaps.find(({ size }) => size === gone);
  if (!heap) return null;
  const taken = gone - left.reduce((sum, one) => sum + one, 0);
  const first = at === heap && [...left, 0].includes(clicked % columns) ? clicked % columns : left[0] ?? 0;
  const rest = without(left, [first]);
  const parts = [first, ...rest].filter((size) => size > 0).flatMap((size, i) => (i ? [{ size: Math.max(1, taken), gap: true }, { size, gap: false }] : [{ size, gap: false }]));
  // What was taken from an end leaves its gap there.
  if (parts.length < 2 && taken) parts.splice(first ? parts.length : 0, 0, { size: taken, gap: true });
  return rows.map((row) => row.flatMap((part) => (part === heap.part ? parts : [part])));
}

/** Moves the counters of a picture to their rows. */
export function arrange(svg, rows, heaps) {
  if (!svg || !rows || !heaps) return;
  const columns = Math.max(1, ...heaps);
  const places = placed(rows);
  if (places.length !== heaps.filter((heap) => heap > 0).length) return;
  const to = (index) => {
    const [k, x] = [Math.floor(index / columns), index % columns];
    const heap = places[k];
    return heap && x < heap.size ? [EDGE + STEP * (heap.x + x) + STEP / 2, EDGE + STEP * heap.y + STEP / 2] : null;
  };
  for (const hit of svg.querySelectorAll('.hit')) {
    const at = to(Number(hit.dataset.place));
    if (!at) {
      hit.setAttribute('display', 'none');
      continue;
    }
    [hit.dataset.x, hit.dataset.y] = at;
    hit.setAttribute('x', at[0] - STEP / 2);
    hit.setAttribute('y', at[1] - STEP / 2);
  }
  for (const stack of svg.querySelectorAll('.stack')) {
    const at = to(Number(stack.dataset.at));
    if (at) for (const piece of stack.children) piece.setAttribute('transform', `translate(${at[0]} ${at[1]})`);
  }
  const wide = Math.max(...rows.map((row) => row.reduce((sum, { size }) => sum + size, 0)), 1);
  svg.setAttribute('viewBox', `${EDGE - 8} ${EDGE - 8} ${STEP * wide + 16} ${STEP * rows.length + 16}`);
}
