// What the parts of the play page share: the game, the tree of all moves tried, and the players.

import { make, memory, notice } from './app.js';

export const $ = (id) => document.getElementById(id);
export const data = JSON.parse($('data').textContent);
export const game = data.game;
export const asked = new URLSearchParams(location.search);

export const state = {
  root: null,
  at: null,
  view: memory.get(`view ${game}`, 0),
  values: asked.has('values') || memory.get('values', false),
  text: memory.get('text', 0),
  players: ['human', 'human'],
  thinking: 0,
  lesson: null,
  /** Whether the person looks at lines of play: computer players wait. */
  studying: false,
  /** Whether two computer players wait for the next step. */
  paused: false,
  /** What the game says about itself, such as the names of the players, and its result as written. */
  tags: [],
  result: '',
};

export const side = (turn) => (turn === 'first' ? 0 : 1);

/** The name of a side, as a sentence begins. */
export const named = (turn) => {
  const name = data.names[side(turn)];
  return name[0].toUpperCase() + name.slice(1);
};

/** A sentence of the server that begins with the name of a side: a mark such as x is a capital letter. */
export const voiced = (text) => (data.names.some((name) => name.length === 1 && text.startsWith(`${name} `)) ? text[0].toUpperCase() + text.slice(1) : text);

/** Adds a line to the log. */
export const log = (text) => {
  $('log').append(make('li', {}, text));
  while ($('log').childElementCount > 200) $('log').firstElementChild.remove();
};

/** Shows an error, and keeps it in the log. */
export const showError = (error) => {
  notice($('notice'), error.message);
  log(error.message);
};

/** The seconds that a person allows for the values of a position. */
export const timeLimit = () => Number($('seconds').value) || 2;
