// The page that solves a game in the browser. The work is done by workers, which can be ended.

import { showQuotient } from './calculator.js';
import { carried, carrying } from './link.js';
import { ask, begin, verify } from './verify.js';

const at = (id) => document.getElementById(id);

// The most cells of a strip, and the most moves of a position.
const MAX_CELLS = 120;
const MAX_MOVES = 20;
const COLOURS = 24;

let solver;
let ticking;

function say(element, text) {
  element.textContent = text;
}

/** Makes an element with this text and these classes. */
function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) {
    made.className = kind;
  }
  return made;
}

/** Returns a word such as `ab_1^2` with its exponents raised and its numbers lowered. */
function powers(word) {
  const parts = word.split(/([\^_]\d+)/);
  const names = { '^': 'sup', _: 'sub' };
  return parts.map((part) => (names[part[0]] ? element(names[part[0]], part.slice(1)) : part));
}

function stop() {
  solver?.terminate();
  solver = undefined;
  clearInterval(ticking);
  at('progress').hidden = true;
  at('stop').hidden = true;
}

function solve(code) {
  const budget = JSON.stringify({ fuel: Number(at('fuel').value), evidence: Number(at('evidence').value) });
  work(code, { kind: 'solve', code, budget });
}

/** Shows the game of a certificate, which the checker accepts first. */
function read(code, certificate) {
  work(code, { kind: 'read', certificate }, 'The link carries the certificate. This browser has verified it.');
}

/** Gives a question to a new worker, which keeps the solution. */
function work(code, question, remark = '') {
  stop();
  at('result').hidden = true;
  say(at('said'), '');
  const started = performance.now();
  let reached = 'begins';
  const tick = () => {
    const seconds = Math.floor((performance.now() - started) / 1000);
    say(at('reached'), `${code}: ${reached}; ${seconds} s`);
  };
  ticking = setInterval(tick, 500);
  tick();
  at('progress').hidden = false;
  at('stop').hidden = false;
  solver = begin();
  ask(solver, question, (answer) => {
    if (answer.progress) {
      reached = `heap ${answer.progress.heap}, order ${answer.progress.order}`;
      tick();
      return;
    }
    const worker = solver;
    solver = undefined;
    stop();
    if (answer.error) {
      worker.terminate();
      say(at('said'), answer.error.message);
    } else {
      // The worker keeps the solution and decides positions.
      solver = worker;
      say(at('said'), remark);
      show(answer, (performance.now() - started) / 1000);
    }
  });
}

function show({ certificate, sentence, rules }, seconds) {
  const claim = JSON.parse(certificate);
  say(at('game'), claim.code);
  say(at('verdict'), `${sentence[0].toUpperCase()}${sentence.slice(1)}.`);
  say(at('rules'), rules);
  const facts = [
    ['status', claim.status],
    ['order', `${claim.quotient.order}; ${claim.quotient.p_size} elements are of P-positions`],
    ['known to heap', claim.heaps],
    ['period', claim.period && `${claim.period} from heap ${claim.preperiod} on`],
    ['fuel', claim.fuel.toLocaleString('en')],
    ['time', `${seconds.toFixed(2)} s, with the check`],
  ];
  const list = at('facts');
  list.replaceChildren();
  for (const [name, value] of facts.filter(([, value]) => value)) {
    list.append(element('dt', name), element('dd', value));
  }
  showStrips(claim);
  const link = at('download');
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([`${certificate}\n`], { type: 'application/json' }));
  link.download = `${claim.code.replace(/[^0-9A-Za-z.]/g, '_')}.json`;
  offer(claim.code, certificate);
  for (const id of ['verified', 'outcome']) {
    say(at(id), '');
  }
  at('moves').replaceChildren();
  at('verify').onclick = () => verify(certificate, at('verified'));
  at('result').hidden = false;
}

/** Offers a link to this page that carries the certificate, if it is not too long. */
async function offer(code, certificate) {
  at('link').hidden = true;
  const fragment = await carrying(code, certificate);
  if (fragment) {
    at('link').href = `#${fragment}`;
    at('link').hidden = false;
  }
}

/** Shows the pretending function: the heaps before the period, and one period. */
function showStrips({ phi, period, preperiod, quotient }) {
  const inP = new Set(quotient.p_portion);
  const strip = (from, to, caption, kind) => {
    const figure = element('figure', '', `strip ${kind}`);
    const cells = element('ol', '', 'heaps');
    if (kind === 'period' && to - from <= 12) {
      cells.classList.add(`columns-${to - from}`);
    }
    for (let heap = from; heap < to; heap++) {
      const value = phi[heap];
      const cell = element('li', '', `colour-${value % COLOURS}${inP.has(value) ? ' in-p' : ''}`);
      const word = quotient.words[value];
      cell.append(element('span', heap, 'heap'), ...powers(word));
      cell.title = `Φ(${heap}) = ${word}${inP.has(value) ? ', a P-position' : ''}`;
      cells.append(cell);
    }
    figure.append(element('figcaption', caption), cells);
    return figure;
  };
  const strips = [];
  const known = Math.min(phi.length, MAX_CELLS);
  if (period && preperiod + period <= phi.length) {
    strips.push(strip(0, Math.min(preperiod, MAX_CELLS), 'Φ of the heaps before the period', ''));
    const end = preperiod + Math.min(period, MAX_CELLS);
    strips.push(strip(preperiod, end, `one period: ${period} heaps`, 'period'));
  } else {
    const more = phi.length > known ? `, the first ${known} of ${phi.length} heaps` : '';
    strips.push(strip(0, known, `Φ of the heaps${more}`, ''));
  }
  at('strips').replaceChildren(...strips.filter((figure) => figure.querySelector('li')));
}

function decide(position) {
  if (!solver) {
    return;
  }
  at('moves').replaceChildren();
  say(at('outcome'), 'The position is being decided.');
  ask(solver, { kind: 'outcome', position }, (answer) => {
    if (answer.error) {
      say(at('outcome'), answer.error.message);
      return;
    }
    const { outcome, word, winning_moves: moves, winning_move: one } = answer.outcome;
    const who = outcome === 'P' ? 'the previous player wins' : 'the next player wins';
    say(at('outcome'), `${outcome}: ${who}. ${word ? `The element is ${word}. ` : ''}`);
    const found = moves ?? (one ? [one] : []);
    if (found.length > 0) {
      at('outcome').append(moves ? 'These moves win:' : 'One of the moves that win:');
    }
    const shown = found.slice(0, MAX_MOVES).map(describe);
    if (found.length > shown.length) {
      shown.push(`… and ${(found.length - shown.length).toLocaleString('en')} more`);
    }
    at('moves').append(...shown.map((move) => element('li', move)));
  });
}

function describe({ heap, leaves }) {
  const left = leaves.length > 0 ? leaves.join(' + ') : 'nothing';
  return `replace a heap of ${heap} by ${left}`;
}

async function solveFragment() {
  const fragment = location.hash.slice(1);
  if (!fragment || fragment === 'main') {
    return;
  }
  try {
    const { quotient, code, certificate } = await carried(fragment);
    if (quotient !== undefined) {
      showQuotient(quotient);
      return;
    }
    at('code').value = code;
    if (certificate === undefined) {
      solve(code);
    } else {
      read(code, certificate);
    }
  } catch (error) {
    stop();
    say(at('said'), `The link is damaged: ${error.message}.`);
  }
}

at('question').addEventListener('submit', (event) => {
  event.preventDefault();
  const code = at('code').value.trim();
  const fragment = `#${encodeURIComponent(code)}`;
  if (location.hash === fragment) {
    solve(code);
  } else {
    location.hash = fragment;
  }
});
at('stop').addEventListener('click', () => {
  stop();
  say(at('said'), 'Stopped.');
});
at('asked').addEventListener('submit', (event) => {
  event.preventDefault();
  decide(at('position').value);
});
at('file').addEventListener('change', async () => {
  const [file] = at('file').files;
  if (file) {
    verify(await file.text(), at('file-verified'));
  }
});
addEventListener('hashchange', solveFragment);
solveFragment();
