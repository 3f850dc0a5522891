// Replays a line of play on a small board, step by step or automatically.

import { address, ask } from './app.js';
import { numbered } from './tree.js';

/** The time between two moves of an automatic replay, in milliseconds. */
const MOVE_MS = 900;

export class Line {
  constructor(figure) {
    this.figure = figure;
    this.screen = figure.querySelector('.screen');
    this.status = figure.querySelector('.status');
    this.buttons = figure.querySelector('.buttons');
    this.steps = null;
    /** A remark on each move. */
    this.notes = null;
    this.at = 0;
    for (const button of figure.querySelectorAll('[data-go]')) button.addEventListener('click', () => this.go(button.dataset.go));
    figure.addEventListener('keydown', (event) => {
      const go = { ArrowLeft: 'back', ArrowRight: 'forth', Home: 'first', End: 'last' }[event.key];
      if (!go) return;
      event.preventDefault();
      this.go(go);
    });
  }

  /** Loads another line. */
  async load(game, pos, moves, at = 0) {
    this.stop();
    Object.assign(this.figure.dataset, { game, pos, moves });
    this.steps = null;
    this.at = at;
    const open = this.buttons.querySelector('a');
    if (open) open.href = address(`/g/${encodeURIComponent(game)}`, { pos, moves, values: 1 });
    await this.ready();
    this.show();
  }

  async ready() {
    if (this.steps) return;
    const { game, pos, moves } = this.figure.dataset;
    this.steps = (await ask(address('/api/line', { game, pos, moves }))).steps;
  }

  async go(where) {
    const running = this.timer;
    this.stop();
    try {
      await this.ready();
    } catch (error) {
      this.status.textContent = error.message;
      return;
    }
    const last = this.steps.length - 1;
    if (where === 'run') {
      if (running) return;
      if (this.at >= last) this.at = 0;
      this.timer = setInterval(() => this.tick(), MOVE_MS);
      this.buttons.querySelector('[data-go=run]').textContent = '❚❚ Pause';
    } else this.at = { first: 0, back: Math.max(0, this.at - 1), forth: Math.min(last, this.at + 1), last }[where];
    this.show();
  }

  tick() {
    if (this.at >= this.steps.length - 1) this.stop();
    else {
      this.at += 1;
      this.show();
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.buttons.querySelector('[data-go=run]').textContent = '▶ Play';
  }

  show() {
    const step = this.steps[this.at];
    this.screen.innerHTML = step.svg;
    this.figure.dataset.at = this.at;
    const move = step.mv ? `${numbered(this.at)} ${step.mv}` : `Start of ${this.steps.length - 1} plies`;
    const note = this.notes?.[this.at - 1];
    this.status.textContent = [move, note, step.status].filter(Boolean).join(' · ');
  }
}

/** Activates every replay below `root`. */
export function lines(root) {
  for (const figure of root.querySelectorAll('figure.reel[data-moves]')) {
    if (!figure.dataset.ready) {
      figure.dataset.ready = 'yes';
      new Line(figure);
    }
  }
}
