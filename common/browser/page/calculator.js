// The class of a quotient, the simplest form of a game, and the comparison of two games.

import { ask, begin } from './verify.js';

const at = (id) => document.getElementById(id);

/** Shows the lines of an answer, or the sentence of an error. */
function show(said, lines) {
  const items = lines.filter(Boolean).map((line) => {
    const item = document.createElement('li');
    item.textContent = line;
    return item;
  });
  const list = document.createElement('ul');
  list.append(...items);
  said.replaceChildren(list);
}

/** Asks a worker of its own, which ends with the answer or with the next question. */
function asker(said, describe) {
  let worker;
  return (question) => {
    worker?.terminate();
    worker = begin();
    said.textContent = 'It is being computed.';
    ask(worker, question, (answer) => {
      worker.terminate();
      if (answer.error) {
        said.textContent = answer.error.message;
      } else {
        show(said, describe(answer));
      }
    });
  };
}

const IN_WORDS = { P: 'in P: positions with this value are P-positions', N: 'not in P: positions with this value are N-positions' };

function describeQuotient({ identified, multiplied }) {
  const { name, order, p_size: inP, given_order: given, reduced, class: key, label } = identified;
  return [
    multiplied && `${multiplied.product} = ${multiplied.word}, ${IN_WORDS[multiplied.outcome]}`,
    !reduced && `Not reduced: of its ${given} elements some cannot be told apart. This is its reduction.`,
    `${name ? `${name}, ` : ''}order ${order}, ${inP} in P`,
    identified.presentation.text,
    identified.misere_quotient.why,
    `class ${label ? `${label}, ` : ''}${key}`,
  ];
}

const OUTCOMES = { P: 'P: the previous player wins', N: 'N: the next player wins' };

/** Describes a simplest form, which is not written if it is too great. */
const form = ({ form: written, followers, birthday }) =>
  written ?? `a game with ${followers} followers, born on day ${birthday}`;

function describeGames({ compared, simplest }) {
  if (simplest) {
    const { genus, class: kind, outcome, birthday, half_tame: halfTame } = simplest;
    return [
      `${simplest.text} is ${form(simplest)}`,
      `born on day ${birthday}, genus ${genus}, ${kind}${halfTame ? ', half-tame' : ''}`,
      `${OUTCOMES[outcome]} in misère play`,
    ];
  }
  const [one, other] = compared.games;
  const { distinguisher: context } = compared;
  const sums = context?.sums.map(({ outcome }) => outcome).join(' and ');
  return [
    `${one.text} ${compared.equal ? 'equals' : 'is not'} ${other.text} in misère play`,
    `${one.text} is ${form(one)}, genus ${one.genus}, ${one.class}`,
    `${other.text} is ${form(other)}, genus ${other.genus}, ${other.class}`,
    context && `${form(context)} tells them apart: the sums with it are ${sums}`,
  ];
}

const identify = asker(at('quotient-answer'), describeQuotient);
at('quotient-question').addEventListener('submit', (event) => {
  event.preventDefault();
  identify({ kind: 'identify', text: at('quotient').value, product: at('product').value.trim() });
});

/** Shows a quotient, whose generators can then be multiplied. */
export function showQuotient(text) {
  at('quotient').value = text;
  at('quotient-question').requestSubmit();
  at('product').focus();
}

const compute = asker(at('games-answer'), describeGames);
at('games-question').addEventListener('submit', (event) => {
  event.preventDefault();
  const [game, other] = [at('one').value, at('other').value.trim()];
  compute(other ? { kind: 'compare', game, other } : { kind: 'form', game });
});
