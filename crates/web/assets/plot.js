// A plot of Grundy values: points, or a density where points overlap. The wheel, keys and buttons zoom; dragging moves.

const TICKS = [1, 2, 5, 10];

class Plot {
  constructor(figure, values) {
    this.values = values;
    this.canvas = figure.querySelector('canvas');
    this.where = figure.querySelector('#where');
    this.most = values.reduce((a, b) => Math.max(a, b), 1);
    this.all();
    // Of a periodic code, the first periods say more than the lines that all of them make together.
    const shown = Number(figure.dataset.shown);
    if (shown > 0 && shown < values.length) this.to = shown;
    this.listen(figure);
    this.draw();
  }

  all() {
    [this.from, this.to] = [0, this.values.length];
    [this.low, this.high] = [0, this.most + 1];
  }

  get frame() {
    const scale = devicePixelRatio || 1;
    const [wide, high] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (this.canvas.width !== Math.round(wide * scale)) {
      this.canvas.width = Math.round(wide * scale);
      this.canvas.height = Math.round(high * scale);
    }
    return { scale, left: 56, top: 12, wide: wide - 88, high: high - 52 };
  }

  draw() {
    const { scale, left, top, wide, high } = this.frame;
    const style = getComputedStyle(this.canvas);
    const pen = this.canvas.getContext('2d');
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, wide + 88, high + 52);
    pen.font = '12px system-ui, sans-serif';
    const ink = style.color;
    const line = style.borderTopColor;
    const x = (n) => left + ((n - this.from) / (this.to - this.from)) * wide;
    const y = (v) => top + high - ((v - this.low) / (this.high - this.low)) * high;
    pen.strokeStyle = line;
    pen.fillStyle = ink;
    pen.textAlign = 'center';
    for (const tick of this.ticks(this.from, this.to)) {
      pen.beginPath(); pen.moveTo(x(tick), top); pen.lineTo(x(tick), top + high); pen.stroke();
      pen.fillText(tick.toLocaleString('en-US'), x(tick), top + high + 18);
    }
    pen.textAlign = 'right';
    for (const tick of this.ticks(this.low, this.high)) {
      pen.beginPath(); pen.moveTo(left, y(tick)); pen.lineTo(left + wide, y(tick)); pen.stroke();
      pen.fillText(tick.toLocaleString('en-US'), left - 8, y(tick) + 4);
    }
    pen.textAlign = 'center';
    pen.fillText('heap', left + wide / 2, top + high + 36);
    pen.save();
    pen.beginPath(); pen.rect(left, top, wide, high); pen.clip();
    pen.fillStyle = style.outlineColor;
    const [a, b] = [Math.max(0, Math.floor(this.from)), Math.min(this.values.length, Math.ceil(this.to) + 1)];
    const size = Math.max(2, Math.min(9, 1.4 * (wide / (b - a))));
    if (b - a < 40000) {
      pen.globalAlpha = b - a > 4000 ? 0.6 : 0.9;
      for (let n = a; n < b; n += 1) pen.fillRect(x(n) - size / 2, y(this.values[n]) - size / 2, size, size);
    } else this.density(pen, a, b, x, y);
    pen.restore();
  }

  density(pen, a, b, x, y) {
    const cell = 3;
    const counts = new Map();
    for (let n = a; n < b; n += 1) {
      const key = Math.floor(x(n) / cell) * 65536 + Math.floor(y(this.values[n]) / cell);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    for (const [key, count] of counts) {
      pen.globalAlpha = 0.12 + 0.88 * (Math.log1p(count) / Math.log1p(most));
      pen.fillRect(Math.floor(key / 65536) * cell, (key % 65536) * cell, cell, cell);
    }
  }

  ticks(from, to) {
    const rough = (to - from) / 6;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = Math.max(1, TICKS.map((m) => m * power).find((s) => s >= rough) ?? rough);
    const ticks = [];
    for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
    return ticks;
  }

  zoom(by, cx = 0.5, cy = 0.5) {
    const n = this.from + (this.to - this.from) * cx;
    const v = this.low + (this.high - this.low) * cy;
    const wide = Math.min(this.values.length, Math.max(20, (this.to - this.from) * by));
    const tall = Math.min(this.most + 1, Math.max(8, (this.high - this.low) * by));
    this.from = Math.max(0, Math.min(this.values.length - wide, n - wide * cx));
    this.to = this.from + wide;
    this.low = Math.max(0, Math.min(this.most + 1 - tall, v - tall * cy));
    this.high = this.low + tall;
    this.draw();
  }

  shift(dx, dy) {
    const [wide, tall] = [this.to - this.from, this.high - this.low];
    this.from = Math.max(0, Math.min(this.values.length - wide, this.from + dx * wide));
    this.to = this.from + wide;
    this.low = Math.max(0, Math.min(this.most + 1 - tall, this.low + dy * tall));
    this.high = this.low + tall;
    this.draw();
  }

  listen(figure) {
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const { left, top, wide, high } = this.frame;
      return [(event.clientX - box.left - left) / wide, 1 - (event.clientY - box.top - top) / high];
    };
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, ...at(event));
    }, { passive: false });
    let drag = null;
    this.canvas.addEventListener('pointerdown', (event) => {
      drag = at(event);
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointerup', () => { drag = null; });
    this.canvas.addEventListener('pointermove', (event) => {
      const [cx, cy] = at(event);
      if (drag) {
        this.shift(drag[0] - cx, drag[1] - cy);
        drag = [cx, cy];
        return;
      }
      const n = Math.round(this.from + (this.to - this.from) * cx);
      if (n >= 0 && n < this.values.length) this.where.textContent = `G(${n.toLocaleString('en-US')}) = ${this.values[n]}`;
    });
    this.canvas.addEventListener('keydown', (event) => {
      const act = {
        '+': () => this.zoom(0.8), '-': () => this.zoom(1.25), ArrowLeft: () => this.shift(-0.1, 0), ArrowRight: () => this.shift(0.1, 0),
        ArrowUp: () => this.shift(0, 0.1), ArrowDown: () => this.shift(0, -0.1), Home: () => { this.all(); this.draw(); },
      }[event.key];
      if (act) {
        event.preventDefault();
        act();
      }
    });
    for (const button of figure.querySelectorAll('[data-zoom]')) {
      button.addEventListener('click', () => {
        if (button.dataset.zoom === 'all') {
          this.all();
          this.draw();
        } else this.zoom(button.dataset.zoom === 'in' ? 0.6 : 1.6);
      });
    }
    addEventListener('resize', () => this.draw());
    new MutationObserver(() => this.draw()).observe(document.documentElement, { attributeFilter: ['data-scheme'] });
  }
}

async function begin() {
  const figure = document.getElementById('plot');
  if (!figure) return;
  const bytes = await (await fetch(figure.dataset.words)).arrayBuffer();
  new Plot(figure, new Uint32Array(bytes));
  figure.dataset.drawn = 'yes';
}

document.addEventListener('agon:result', begin);
begin();
