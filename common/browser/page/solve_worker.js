// A worker with the module. It keeps the last solution, about whose positions it is asked.

import load, { Solution, compare, form, identify, multiply, rules, verify } from './misere_browser.js';

// The least time between two messages about progress, in milliseconds.
const INTERVAL = 100;

const ready = load();
let solution;
let lastTold = 0;

function tell(heap, order) {
  const now = performance.now();
  if (now - lastTold >= INTERVAL) {
    lastTold = now;
    postMessage({ progress: { heap, order } });
  }
}

/** Describes the solution that is kept. */
function kept() {
  const certificate = solution.document();
  return { certificate, sentence: solution.sentence(), rules: rules(JSON.parse(certificate).code) };
}

const answers = {
  solve({ code, budget }) {
    solution = Solution.solve(code, budget, tell);
    return kept();
  },
  read({ certificate }) {
    solution = Solution.read(certificate);
    return kept();
  },
  verify({ certificate }) {
    return { verified: JSON.parse(verify(certificate)) };
  },
  outcome({ position }) {
    return { outcome: JSON.parse(solution.outcome(position, false)) };
  },
  identify({ text, product }) {
    return {
      identified: JSON.parse(identify(text, '')),
      multiplied: product && JSON.parse(multiply(text, product, '')),
    };
  },
  form({ game }) {
    return { simplest: JSON.parse(form(game, '')) };
  },
  compare({ game, other }) {
    return { compared: JSON.parse(compare(game, other, '')) };
  },
};

addEventListener('message', async ({ data }) => {
  try {
    await ready;
    postMessage(answers[data.kind](data));
  } catch (error) {
    // A trap leaves the module in no state to go on: the page learns of it by the event `error`.
    if (error instanceof WebAssembly.RuntimeError) {
      setTimeout(() => {
        throw error;
      });
    } else {
      postMessage({ error: { name: error.name, message: error.message } });
    }
  }
});
