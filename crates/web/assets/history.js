// A chart of the value along a game: solid bars for proven values, hatched bars for estimates.

import { share } from './board.js';
import { slips } from './lesson.js';

const NS = 'http://www.w3.org/2000/svg';

/** The value of a position for the first player, -1 to 1, proven or estimated; null if unknown. */
function standing(node) {
  if (node.over) {
    const sign = node.winner === 'first' ? 1 : node.winner === 'second' ? -1 : 0;
    return { proven: true, sign, plies: 0 };
  }
  const mine = node.turn === 'first' ? 1 : -1;
  const best = node.worth?.best;
  if (best) return { proven: true, sign: { win: 1, draw: 0, loss: -1 }[best.value] * mine, plies: best.plies ?? 0 };
  if (!node.guess?.length) return null;
  const lead = (2 * Math.max(...node.guess.map(share)) - 1) * mine;
  return { proven: false, sign: Math.sign(lead), lead };
}

function words(at, names) {
  if (!at) return 'unknown';
  if (!at.proven) {
    const share = Math.round(50 * (1 + at.lead));
    return `estimate: ${names[0]} ${share} %, ${names[1]} ${100 - share} %`;
  }
  return at.sign === 0 ? 'a draw' : `${names[at.sign > 0 ? 0 : 1]} wins${at.plies ? ` in ${at.plies}` : ''}`;
}

/** Draws the chart into a box. */
export function drawHistory(box, line, here, names, go) {
  const bad = new Map(slips(line).map((slip) => [slip.node, slip]));
  const known = line.map(standing);
  const far = Math.max(8, ...known.map((at) => at?.plies ?? 0));
  const [wide, high] = [360 / Math.max(12, line.length), 96];
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('viewBox', `0 0 360 ${high}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'history');
  svg.setAttribute('role', 'img');
  const add = (parent, tag, attributes, text) => {
    const element = document.createElementNS(NS, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  add(svg, 'title', {}, `Value along the game: up means ${names[0]} wins, down means ${names[1]} wins`);
  const hatch = add(svg, 'pattern', { id: 'bars', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' });
  add(hatch, 'rect', { class: 'hatch', width: 2, height: 5 });
  line.forEach((node, i) => {
    const at = known[i];
    if (node === here) add(svg, 'rect', { class: 'now', x: i * wide, y: 0, width: wide, height: high });
    if (at) {
      const strong = at.proven ? 10 + 34 * (1 - (at.plies ?? 0) / (far + 1)) : 40 * Math.abs(at.lead);
      const tall = at.proven && at.sign === 0 ? 4 : Math.max(3, strong);
      const y = at.proven && at.sign === 0 ? high / 2 - 2 : at.sign > 0 ? high / 2 - tall : high / 2;
      const side = at.sign > 0 ? 'up' : at.sign < 0 ? 'down' : 'even';
      add(svg, 'rect', { class: at.proven ? `bar ${side}` : 'bar guess', x: i * wide + 1, y, width: wide - 2, height: tall });
    } else {
      add(svg, 'path', { class: 'unknown', d: `M${(i + 0.3) * wide} ${high / 2}h${wide * 0.4}` });
    }
    if (bad.has(node)) add(svg, 'path', { class: bad.get(node).proven ? 'bad' : 'bad guess', d: `M${(i + 0.5) * wide - 4} 2h8l-4 8z` });
    const hit = add(svg, 'rect', { class: 'pick', x: i * wide, y: 0, width: wide, height: high });
    add(hit, 'title', {}, `${node.mv ? `${node.number()} ${node.mv}` : 'start'}: ${words(at, names)}${bad.has(node) ? '; a mistake' : ''}`);
    hit.addEventListener('click', () => go(node));
  });
  add(svg, 'path', { class: 'middle', d: `M0 ${high / 2}H360` });
  const caption = document.createElement('p');
  caption.className = 'history-key';
  const guesses = known.some((at) => at && !at.proven) ? ' Hatched: estimate.' : '';
  const draw = known.some((at) => at?.proven && at.sign === 0) ? ' · ■ draw' : '';
  caption.textContent = `▲ ${names[0]} wins${draw} · ▼ ${names[1]} wins. Higher bar: closer win.${guesses}`;
  box.replaceChildren(svg, caption);
}
