// The proven value along a game, as a tug of war, and the move that gave it away.

const NS = 'http://www.w3.org/2000/svg';
const RANK = { loss: 0, draw: 1, win: 2 };

/** The value of a position for the first player: -1, 0 or 1, with its distance; none when unknown. */
function standing(node) {
  if (node.over) {
    const sign = node.winner === 'first' ? 1 : node.winner === 'second' ? -1 : 0;
    return { sign, plies: 0 };
  }
  const best = node.worth?.best;
  if (!best) return null;
  const mine = node.turn === 'first' ? 1 : -1;
  return { sign: { win: 1, draw: 0, loss: -1 }[best.value] * mine, plies: best.plies ?? 0, value: best };
}

/** The first move of the line that was worth less than another. */
function firstMistake(line) {
  return line.slice(1).find((node) => {
    const best = node.parent.worth?.best;
    const played = node.parent.worth?.values.find((move) => move.mv === node.mv);
    return best && played && RANK[played.value] < RANK[best.value];
  });
}

/** Draws the chart into a box; answers the first mistake, if there is one. */
export function drawHistory(box, line, here, names, go) {
  const bad = firstMistake(line);
  const known = line.map(standing);
  if (!known.some(Boolean) || line.length < 2) {
    box.replaceChildren();
    return bad;
  }
  const far = Math.max(8, ...known.map((at) => at?.plies ?? 0));
  const [wide, high] = [Math.max(12, Math.min(36, 360 / line.length)), 96];
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', `0 0 ${wide * line.length} ${high}`);
  svg.setAttribute('class', 'history');
  svg.setAttribute('role', 'img');
  const add = (tag, attributes, text) => {
    const element = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    svg.append(element);
    return element;
  };
  add('title', {}, `Value along the game: up ${names[0]} wins, down ${names[1]} wins`);
  line.forEach((node, i) => {
    const at = known[i];
    if (node === here) add('rect', { class: 'now', x: i * wide, y: 0, width: wide, height: high });
    if (at) {
      const tall = at.sign === 0 ? 3 : 10 + 34 * (1 - at.plies / (far + 1));
      const y = at.sign > 0 ? high / 2 - tall : at.sign < 0 ? high / 2 : high / 2 - 1.5;
      const side = at.sign > 0 ? 'up' : at.sign < 0 ? 'down' : 'even';
      add('rect', { class: `bar ${side}`, x: i * wide + 1, y, width: wide - 2, height: tall });
    } else {
      add('text', { class: 'unknown', x: (i + 0.5) * wide, y: high / 2 }, '?');
    }
    if (node === bad) add('text', { class: 'bad', x: (i + 0.5) * wide, y: 10 }, '?');
    const hit = add('rect', { class: 'pick', x: i * wide, y: 0, width: wide, height: high });
    const title = document.createElementNS(NS, 'title');
    const said = at ? (at.sign === 0 ? 'draw' : `${names[at.sign > 0 ? 0 : 1]} wins${at.plies ? ` in ${at.plies}` : ''}`) : 'not known';
    title.textContent = `${node.mv ? `${node.ply}. ${node.mv}` : 'start'}: ${said}`;
    hit.append(title);
    hit.addEventListener('click', () => go(node));
  });
  add('path', { class: 'middle', d: `M0 ${high / 2}H${wide * line.length}` });
  const caption = document.createElement('p');
  caption.className = 'history-key';
  caption.textContent = `▲ ${names[0]} wins · ■ draw · ▼ ${names[1]} wins; the longer, the sooner`;
  box.replaceChildren(svg, caption);
  return bad;
}
