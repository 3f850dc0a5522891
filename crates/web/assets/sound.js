// A short sound when a piece is put down; off until a person asks for it.

import { memory } from './app.js';

let context = null;

export function knock() {
  if (!memory.get('sound', false)) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  // A burst of noise through a low filter sounds like wood on wood.
  const length = Math.floor(context.sampleRate * 0.06);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 4;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: 'lowpass', frequency: 900 });
  const gain = new GainNode(context, { gain: 0.5 });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(now);
}
