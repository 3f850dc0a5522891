// The game as a record: its tags and comments, kept in the browser, copied, saved and loaded.

import { address, ask, make, memory, notice } from './app.js';
import { story, trace } from './moves.js';
import { $, asked, data, game, showError, state } from './state.js';
import { storyOf, storyText } from './tree.js';
import { LONGEST_LINK, go, here, load } from './walk.js';

/** Names and other tags of a game that was read. */
export function showTags() {
  $('tags').hidden = !state.tags.length;
  $('tags').replaceChildren(...state.tags.flatMap(([key, value]) => [make('dt', {}, key), make('dd', {}, value)]));
}

/** What a person says about the move that led here. */
export function remark() {
  const node = state.at;
  $('remark').hidden = !node.parent;
  if (document.activeElement !== $('comment') || $('comment').dataset.of !== `${node.ply} ${node.mv}`) $('comment').value = node.comment;
  $('comment').dataset.of = `${node.ply} ${node.mv}`;
  for (const button of document.querySelectorAll('[data-mark]')) button.setAttribute('aria-pressed', node.marks === button.dataset.mark);
  $('promote').disabled = node.isMain();
}

export function keep() {
  if (!state.root.children.length) return;
  const others = memory.get('recent', []).filter((item) => item.game !== game);
  const end = state.at.end();
  const moves = here(end);
  const status = end.full?.status ?? end.status;
  memory.set('recent', [{ game, title: data.title, url: moves, plies: end.ply, status, pos: end.pos, joins: end.joins }, ...others].slice(0, 8));
}

/** Keeps the address in step with marks, comments and the order of variations. */
function retold() {
  history.replaceState(null, '', here());
  story();
  keep();
  remark();
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    const was = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = was; }, 900);
  } catch {
    notice($('notice'), text);
  }
}

function save(name, text) {
  const link = make('a', { href: URL.createObjectURL(new Blob([text], { type: 'text/plain' })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The whole game as a file, with variations, comments and tags, wherever it is being looked at. */
const written = () => ask('/api/story', { game, pos: state.root.pos, story: storyOf(state.root, state.tags, state.result) });

$('copy-pos').onclick = (event) => copy(state.at.pos, event.target);
$('copy-line').onclick = async (event) => {
  try {
    copy(data.notation ? (await written()).text : storyText(state.root, state.tags), event.target);
  } catch (error) {
    showError(error);
  }
};
$('copy-link').onclick = (event) => {
  copy(location.origin + here(), event.target);
  if (storyText(state.root, state.tags).length > LONGEST_LINK) notice($('notice'), 'This game is too long for a link: the link has the moves to here. The variations and comments are kept in this browser; Save game writes them all.');
};

/** A game with variations and comments that is too long for its address, if this browser keeps it. */
export async function keptStory() {
  const kept = asked.has('kept') ? memory.get(`kept ${game}`) : null;
  if (!kept || kept.pos !== (asked.get('pos') ?? '')) return null;
  return ask('/api/record', { game, text: kept.story }).then((read) => read.story, () => null);
}

$('save').onclick = async () => {
  try {
    const record = await written();
    save(record.name, record.text);
  } catch (error) {
    showError(error);
  }
};
$('load').onclick = async () => {
  if (!$('paste').value.trim()) {
    $('paste').focus();
    return;
  }
  try {
    const read = await ask('/api/record', { game, text: $('paste').value });
    const to = address(`/g/${encodeURI(read.game)}`, { pos: read.pos, moves: read.moves.join(' '), tree: read.tree.length > LONGEST_LINK ? '' : read.tree });
    if (read.game !== game) {
      location.href = to;
      return;
    }
    const line = await ask(address('/api/line', { game, pos: read.pos, moves: read.moves.join(' '), view: state.view }));
    await load(line.steps, null, read.story);
  } catch (error) {
    showError(error);
  }
};

$('comment').addEventListener('input', () => {
  state.at.comment = $('comment').value.trim();
  retold();
});
for (const button of document.querySelectorAll('[data-mark]')) {
  button.onclick = () => {
    state.at.marks = state.at.marks === button.dataset.mark ? '' : button.dataset.mark;
    retold();
  };
}
$('remark').open = memory.get('remark', false);
$('remark').addEventListener('toggle', () => memory.set('remark', $('remark').open));
$('promote').onclick = () => {
  state.at.promote();
  retold();
  trace();
};
$('delete').onclick = () => go(state.at.remove());
