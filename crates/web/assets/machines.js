// Computer players: a game against one, and two that play each other.

import { ask, make, memory, notice } from './app.js';
import { $, asked, data, game, log, showError, side, state } from './state.js';
import { begin, board, go, grow } from './walk.js';

/** Tells the server which page its players belong to. */
const page = `${Date.now().toString(36)}-${Math.floor(Math.random() * 2 ** 40).toString(36)}`;

/** The time per move of a side, in seconds. */
const seconds = (which) => Number(document.querySelector(`[data-seconds="${which}"]`).value) || 2;

/** The numbers of proven and unproven moves in the game so far, for a side that proves its moves. */
function proofs(node, turn) {
  const counts = { proven: 0, open: 0 };
  for (let at = node; at; at = at.parent) {
    if (at.chosen?.by === turn && at.chosen.proof !== null) counts[at.chosen.proof ? 'proven' : 'open'] += 1;
  }
  return counts;
}

/** The pause after a move of a computer player, in milliseconds: by the speed that a person chose, if two of them play. */
const PACES = [2400, 1200, 450, 150, 0];

/** A stone that was just placed can still be changed, so the answer waits. */
const CHANGE_MS = 700;

export const machines = () => state.players.every((name) => name !== 'human');

/** Whether the position occurred before in this game. */
const repeats = (node) => node.line().slice(0, -1).some((before) => before.pos === node.pos);

/** The buttons for two computer players. */
function showMachines() {
  const both = machines();
  $('machines').hidden = !both;
  if (!both) state.paused = false;
  $('machine-run').textContent = state.paused ? '▶ Play' : '❚❚ Pause';
  $('machine-run').setAttribute('aria-pressed', !state.paused);
  $('machine-step').disabled = !state.paused || Boolean(state.at?.full?.over);
}

/** Lets a computer player move if it is its turn and no move was played here yet. */
export async function agent(once = false) {
  const node = state.at;
  const full = node.full;
  const player = state.players[side(full.turn)];
  const ticket = (state.thinking += 1);
  showMachines();
  if (machines() && !once && !state.paused && !full.over && repeats(node)) {
    state.paused = true;
    showMachines();
    notice($('notice'), 'The position occurred before: the players repeat themselves. Step plays on.');
  }
  const waits = machines() && state.paused && !once;
  if (full.over || player === 'human' || (node.children.length && !once) || state.lesson || state.studying || waits) {
    $('status').classList.remove('busy');
    return;
  }
  $('status').textContent = `${full.status} · computer is thinking …`;
  $('status').classList.add('busy');
  const pause = machines() ? PACES[Number($('machine-speed').value)] : board.again ? CHANGE_MS : 250;
  try {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const [choice] = await Promise.all([
      ask('/api/choose', { game, pos: node.pos, player, seconds: seconds(side(full.turn)), seed, page, view: state.view, joins: node.joins }),
      new Promise((resolve) => { setTimeout(resolve, once ? 0 : pause); }),
    ]);
    $('status').classList.remove('busy');
    if (ticket !== state.thinking || state.at !== node) return;
    node.chosen = { by: full.turn, proof: choice.proof };
    const counts = proofs(node, full.turn);
    if (choice.proof === false) log(`${choice.mv} is unproven: no proof within the time limit (${player}: ${counts.proven} moves proven, ${counts.open} unproven)`);
    const child = grow(node, choice.node);
    child.unproven = choice.proof === false;
    await go(child, 'push');
  } catch (error) {
    $('status').classList.remove('busy');
    if (ticket === state.thinking) {
      $('status').textContent = full.status;
      showError(error);
    }
  }
}

$('machine-run').onclick = () => {
  state.paused = !state.paused;
  state.studying = false;
  notice($('notice'), '');
  agent(!state.paused && repeats(state.at));
};
$('machine-step').onclick = () => {
  state.studying = false;
  agent(true);
};

// A game against the computer: level and side are remembered.
$('level').value = memory.get('level', 'level:2');
for (const radio of document.querySelectorAll('[name=side]')) radio.checked = radio.value === memory.get('side', 'first');
$('opponent').onsubmit = async (event) => {
  event.preventDefault();
  const [level, wanted] = [$('level').value, document.querySelector('[name=side]:checked').value];
  memory.set('level', level);
  memory.set('side', wanted);
  const mine = wanted === 'random' ? Math.floor(Math.random() * 2) : side(wanted);
  const selects = [...document.querySelectorAll('[data-player]')];
  selects.forEach((select, i) => choosePlayer(select, i === mine ? 'human' : level));
  await begin(data.start);
  $('board').scrollIntoView({ block: 'nearest' });
};

/** Lets a person or a computer player play a side. */
export function choosePlayer(select, player) {
  if (![...select.options].some((option) => option.value === player)) select.append(make('option', { value: player }, player));
  select.value = player;
  state.players[Number(select.dataset.player)] = player;
  select.closest('.player').querySelector('.time').hidden = player === 'human';
}

for (const select of document.querySelectorAll('[data-player]')) {
  choosePlayer(select, asked.get(['first', 'second'][Number(select.dataset.player)]) ?? select.value);
  select.onchange = () => {
    state.studying = false;
    choosePlayer(select, select.value);
    go(state.at);
  };
}
