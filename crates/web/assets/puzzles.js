// Puzzles: a position with exactly one right move, and what happens after it.

import { address, announce, ask, make, memory, notice } from './app.js';
import { Board } from './board.js';
import './reasons.js';

const $ = (id) => document.getElementById(id);
const form = $('choose');
const score = memory.get('puzzles', { solved: 0, missed: 0 });
let seed = Number($('puzzle').dataset.seed) || Math.floor(Math.random() * 2 ** 31);
let now = null;
let tried = false;

const board = new Board($('board'), $('menu'), (mv) => answer(mv));

function tell() {
  $('score').textContent = `${score.solved} solved, ${score.missed} missed on this computer.`;
  memory.set('puzzles', score);
}

/** Says something, with a button that explains it: the position, or why a move is wrong. */
function say(text, move) {
  while ($('answer').nextElementSibling?.matches('.why')) $('answer').nextElementSibling.remove();
  $('answer').hidden = !text;
  $('answer').textContent = text;
  if (move !== undefined && now) {
    $('answer').append(' ', make('button', { type: 'button', 'data-why': '', 'data-game': now.game, 'data-pos': now.puzzle.position, 'data-move': move }, move ? `Why not ${move}?` : 'Why?'));
  }
  if (text) announce(text);
}

async function load() {
  now = null;
  tried = false;
  say('');
  board.enabled = false;
  $('show').disabled = true;
  $('status').textContent = 'Looking for a puzzle …';
  $('about').textContent = '';
  const [game, kind] = [form.elements.game.value, form.elements.kind.value];
  // Positions of one played game, as long as it is that game.
  const played = game === $('puzzle').dataset.of ? { pos: $('puzzle').dataset.pos, moves: $('puzzle').dataset.moves } : {};
  if (!played.moves) $('of-game')?.remove();
  history.replaceState(null, '', address('/puzzles', { game, kind: kind === 'win' ? '' : kind, seed, ...played }));
  try {
    const found = await ask(address('/api/puzzles', { game, kind, seed, ...played }));
    now = found;
    const { puzzle, node } = found;
    board.enabled = true;
    board.show(node.svg, node.moves, node.labels);
    const name = puzzle.name[0].toUpperCase() + puzzle.name.slice(1);
    $('status').textContent = kind === 'save' ? `${name} to move: find the only move that does not lose` : `${name} to move and win`;
    $('about').textContent = `Grade ${puzzle.grade} of 5: ${puzzle.decoys + 1} moves, one of them right.`;
    $('open').href = address(`/g/${encodeURI(found.game)}`, { pos: puzzle.position });
    $('show').disabled = false;
  } catch (error) {
    $('status').textContent = 'No puzzle found';
    notice($('notice'), `${error.message}. Try another game or goal.`);
  }
}

/** Shows the position after the right move, with what follows. */
async function finish() {
  const { game, puzzle } = now;
  $('show').disabled = true;
  board.enabled = false;
  const after = await ask(address('/api/play', { game, pos: puzzle.position, mv: puzzle.solution }));
  board.show(after.svg, [], after.labels, after.path);
  board.lastMove(after.path);
  $('open').href = address(`/g/${encodeURI(game)}`, { pos: puzzle.position, moves: puzzle.line.join(' ') });
}

async function answer(mv) {
  if (!now) return;
  const { puzzle } = now;
  if (mv === puzzle.solution) {
    if (!tried) score.solved += 1;
    say(`${mv} is right. Best play: ${puzzle.line.join(' ')}`, '');
    await finish();
  } else {
    if (!tried) score.missed += 1;
    tried = true;
    say(`${mv} is not the move. Try another one.`, mv);
    board.cancel();
  }
  tell();
}

$('show').onclick = async () => {
  if (!tried) score.missed += 1;
  tried = true;
  say(`The move is ${now.puzzle.solution}. Best play: ${now.puzzle.line.join(' ')}`, '');
  tell();
  await finish();
};
$('next').onclick = () => {
  seed += 1;
  load();
};
form.onsubmit = (event) => {
  event.preventDefault();
  seed += 1;
  load();
};
tell();
await load();
document.body.dataset.ready = 'yes';
