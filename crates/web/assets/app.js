// Shared by all pages: requests with the token, light and dark, announcements.

const token = document.querySelector('meta[name="agon-token"]')?.content ?? '';

/** The JSON answer of the server; throws its error message if the request fails. */
export async function ask(address, body) {
  const options = body === undefined
    ? {}
    : {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-agon-token': token },
      body: JSON.stringify(body),
    };
  return answer(await fetch(address, options));
}

/** Sends a file. */
export async function send(address, file) {
  return answer(await fetch(address, { method: 'POST', headers: { 'x-agon-token': token }, body: file }));
}

async function answer(response) {
  const text = await response.text();
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    read = { error: text };
  }
  if (!response.ok) throw new Error(read.error ?? response.statusText);
  return read;
}

/** An address with a query; empty values are left out. */
export function address(path, query) {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(key, value);
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

/** Announces a text to screen readers. */
export function announce(text) {
  const live = document.getElementById('live');
  if (live) live.textContent = text;
}

/** Shows or hides a message. */
export function notice(place, text) {
  if (!place) return;
  place.hidden = !text;
  place.textContent = text ?? '';
}

/** Settings in the browser's local storage; ignored if storage is not allowed. */
export const memory = {
  get(key, fallback) {
    try {
      return JSON.parse(localStorage.getItem(`agon:${key}`)) ?? fallback;
    } catch {
      return fallback;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`agon:${key}`, JSON.stringify(value));
    } catch {
      // Storage is full or not allowed.
    }
  },
};

/** An element with attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

// The focus of somebody who uses the keyboard never falls to the body: if what had it disappears or is disabled, a
// neighbour takes it, else the board, else the page.
let byKeys = false;
let focused = null;
addEventListener('keydown', () => { byKeys = true; }, { capture: true });
addEventListener('pointerdown', () => { byKeys = false; }, { capture: true });
addEventListener('focusin', ({ target }) => {
  focused = { target, box: target.closest('#moves, #trace, #legal, .why, .buttons, .controls, .folds, .fold') };
});
function keepFocus() {
  if (!byKeys || !focused || document.activeElement !== document.body) return;
  const { target, box } = focused;
  if (target.isConnected && !target.disabled && target.checkVisibility()) return;
  const near = [...(box?.isConnected ? box.querySelectorAll('.here, button:not(:disabled), a[href]') : [])].filter((one) => one.checkVisibility());
  const next = near.find((one) => one.matches('.here')) ?? near[0] ?? document.querySelector('#board .hit[tabindex="0"]') ?? document.getElementById('main');
  next?.focus({ preventScroll: true });
}
new MutationObserver(() => requestAnimationFrame(keepFocus))
  .observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled', 'hidden'] });

// `?` shows the keys of every page; the pages with a board have a list of their own.
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, [popover]')) return;
  const search = document.getElementById('search');
  if (event.key === '/' && search) {
    event.preventDefault();
    search.focus();
  }
  if (event.key !== '?' || document.getElementById('keys')) return;
  const keys = [
    ['Tab, Enter', 'go to the next control, use it'],
    ...(search ? [['/', 'search games']] : []),
    ...(document.querySelector('.reel') ? [['← →', 'previous and next move of a replay'], ['Home End', 'start and end of a replay']] : []),
    ...(document.getElementById('board') ? [['arrows, Enter', 'on the board: choose a place, play there'], ['Esc', 'cancel a half-made move']] : []),
    ['Esc', 'close what is open'],
    ['?', 'these keys'],
  ];
  const box = document.getElementById('page-keys') ?? document.body.appendChild(make('div', { id: 'page-keys', class: 'rules-box', popover: 'auto', 'aria-label': 'Keys' }));
  box.replaceChildren(make('h2', {}, 'Keys'), make('dl', { class: 'keys' }, ...keys.flatMap(([key, does]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, does)])));
  box.showPopover();
});

// On a narrow screen the menu scrolls; the current page is in sight.
document.querySelector('.top nav [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });

const root = document.documentElement;
document.getElementById('theme')?.addEventListener('click', () => {
  const dark = root.dataset.scheme ? root.dataset.scheme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.scheme = dark ? 'light' : 'dark';
  memory.set('scheme', root.dataset.scheme);
});

// The material of boards and pieces, and the sound.
root.dataset.material = memory.get('material', 'wood');
for (const radio of document.querySelectorAll('[name=material]')) {
  radio.checked = radio.value === root.dataset.material;
  radio.addEventListener('change', () => {
    root.dataset.material = radio.value;
    memory.set('material', radio.value);
  });
}
const sound = document.getElementById('sound');
if (sound) {
  sound.checked = memory.get('sound', false);
  sound.addEventListener('change', () => memory.set('sound', sound.checked));
}
