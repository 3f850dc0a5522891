// Strategies as text: test the rules in the editor, see what refutes them, change them.

import { announce, ask, make, memory, notice } from './app.js';
import { Line } from './line.js';

const shop = document.getElementById('workshop');
if (shop) {
  const { game } = shop.dataset;
  const form = document.getElementById('draft');
  const rules = document.getElementById('rules');
  const fault = document.getElementById('fault');
  const outcome = document.getElementById('outcome');
  const board = new Line(document.getElementById('refutation'));
  const key = `rules ${game}`;

  const draft = memory.get(key, null);
  if (draft) {
    rules.value = draft.text;
    form.elements.side.value = draft.side;
    form.elements.claim.value = draft.claim;
    document.getElementById('from').prepend(make('option', { 'data-text': draft.text, selected: true }, 'your last text'));
  }

  document.getElementById('from').addEventListener('change', (event) => {
    rules.value = event.target.selectedOptions[0].dataset.text;
  });

  rules.addEventListener('input', () => {
    document.getElementById('from').selectedIndex = -1;
  });

  const request = () => ({ game, text: rules.value, side: form.elements.side.value, claim: form.elements.claim.value });

  /** Shows a message, and selects the line of the text that it names. */
  function complain(message) {
    notice(fault, message);
    const at = /line (\d+)/.exec(message);
    if (!at) return;
    const lines = rules.value.split('\n');
    const before = lines.slice(0, at[1] - 1).join('\n').length + (at[1] > 1 ? 1 : 0);
    rules.focus();
    rules.setSelectionRange(before, before + (lines[at[1] - 1] ?? '').length);
  }

  async function run(wanted) {
    const asked = { ...request(), ...wanted };
    memory.set(key, asked);
    notice(fault, '');
    outcome.classList.add('busy');
    try {
      const report = await ask('/api/strategy', asked);
      if (report.repair?.text) {
        rules.value = report.repair.text;
        memory.set(key, request());
        await run({});
        return;
      }
      await show(report);
      if (report.repair) complain(`No repair: ${report.repair.why ?? 'none was found'}.`);
    } catch (error) {
      complain(error.message);
    } finally {
      outcome.classList.remove('busy');
    }
  }

  const many = (n) => (n === null ? 'infinitely many' : Number(n).toLocaleString('en'));

  async function show(report) {
    document.getElementById('hint').hidden = true;
    outcome.hidden = false;
    const verdict = document.getElementById('verdict');
    verdict.className = `verdict ${report.holds ? 'proved' : 'refuted'}`;
    verdict.textContent = report.holds ? '✓ The claim holds' : '✗ The claim is refuted';
    const { win, draw, loss } = report.outcomes ?? {};
    const ends = report.outcomes ? `: ${many(win)} won, ${many(draw)} drawn, ${many(loss)} lost` : '';
    const lines = report.partial ? '' : `, ${many(report.lines)} lines${ends}`;
    document.getElementById('counted').textContent = `${many(report.positions)} positions${lines}.`;
    const shortest = report.shortest_counterexample;
    board.figure.hidden = !shortest;
    if (shortest) await replay(report, shortest);
    const response = report.best_response;
    document.getElementById('response').textContent = response && !shortest
      ? `The opponent’s best play leads to a ${response.value}: ${response.moves.join(' ')}` : '';
    document.getElementById('rule-table').replaceChildren(...table(report.rules ?? []));
    announce(verdict.textContent);
  }

  /** The shortest refutation on the board, with the rule behind each move of the strategy. */
  async function replay(report, shortest) {
    board.notes = null;
    await board.load(report.game, report.position, shortest.moves.join(' '));
    const named = shortest.rules[Symbol.iterator]();
    board.notes = board.steps.slice(0, -1).map((step) => {
      if (step.turn !== report.as) return 'the reply';
      const rule = named.next().value;
      return rule ? `rule “${rule}”` : 'no rule has a name here';
    });
    board.notes[board.notes.length - 1] += ` — ${shortest.how}`;
    await board.go('last');
  }

  function table(list) {
    if (!list.length) return [];
    const cells = (tag, ...texts) => make('tr', {}, ...texts.map((text) => make(tag, {}, text)));
    const needed = (rule) => ({ true: 'yes', false: 'no' }[rule.needed] ?? '?');
    const rows = list.map((rule) => cells('td', rule.name, many(rule.fired), many(rule.decided), needed(rule)));
    return [make('thead', {}, cells('th', 'Rule', 'Fired', 'Decided', 'Needed')), make('tbody', {}, ...rows)];
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run({});
  });
  rules.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  document.getElementById('repair').addEventListener('click', () => run({ repair: true }));
  document.getElementById('as-job').addEventListener('click', async () => {
    try {
      location.href = (await ask('/api/jobs', { kind: 'verify', ...request(), certificate: true })).page;
    } catch (error) {
      complain(error.message);
    }
  });
}
