// A worker with the module. It keeps the last solution, about whose positions it is asked.

import load, { Solution, rules, verify } from './misere_browser.js';

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

const answers = {
  solve({ code, budget }) {
    solution = Solution.solve(code, budget, tell);
    return {
      certificate: solution.document(),
      sentence: solution.sentence(),
      rules: rules(code),
    };
  },
  verify({ certificate }) {
    return { verified: JSON.parse(verify(certificate)) };
  },
  outcome({ position }) {
    return { outcome: JSON.parse(solution.outcome(position, false)) };
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
