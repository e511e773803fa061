// Compares what the module answers with what the native program answers, byte for byte.
//
//     node agreement.mjs MODULE_DIRECTORY ANSWERS_OF_THE_NATIVE_PROGRAM
//
// The games are those of games.txt: a game, a position and a budget on each line; the questions of
// questions.txt follow: a function and its arguments. The second file is what the example `answers`
// wrote about them.

import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [directory, native] = process.argv.slice(2);
const browser = await import(pathToFileURL(resolve(directory, 'misere_browser.js')));
browser.initSync({ module: readFileSync(join(directory, 'misere.wasm')) });

const answer = (work) => {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof Error && error.name !== 'RuntimeError', String(error));
    return { name: error.name, message: error.message };
  }
};

// Changes of a claim. A certificate with one of them must be refused.
const forgeries = [
  (it) => it.quotient.p_portion.pop() !== undefined && it.quotient.p_size--,
  (it) => it.phi.length > 2 && (it.phi[it.phi.length - 1] = (it.phi.at(-1) + 1) % it.quotient.order) + 1,
  (it) => it.period && it.period++,
  (it) => it.partials.length > 1 && it.partials.pop(),
  (it) => (it.quotient.order += 2),
];

let games = 0;
let forged = 0;
let elapsed = 0;
let elapsedNative = 0;
let questions = 0;
const linesOf = (name) => readFileSync(new URL(name, import.meta.url), 'utf8').trimEnd().split('\n');
const lines = linesOf('games.txt');
const asked = linesOf('questions.txt');
for await (const line of createInterface({ input: createReadStream(native) })) {
  const expected = JSON.parse(line);
  if (expected.answer !== undefined) {
    const [name, ...given] = asked[questions++].split('\t');
    assert.deepEqual(answer(() => browser[name](...given, '')), expected.answer, `${name} ${given}`);
    continue;
  }
  const [code, position, budget] = lines[games++].split('\t');
  let solution;
  let steps = 0;
  const started = performance.now();
  const found = answer(() => {
    solution = browser.Solution.solve(code, budget, () => steps++);
    return solution.document();
  });
  elapsed += performance.now() - started;
  elapsedNative += expected.elapsed_ms;
  assert.deepEqual(found, expected.certificate, `${code}: the certificate`);
  const small = '{"max_heap": 20, "fuel": 300000}';
  assert.deepEqual(answer(() => browser.nimValues(code, small)), expected.nimValues, code);
  assert.deepEqual(answer(() => browser.genera(code, small)), expected.genera, code);
  if (solution === undefined) {
    continue;
  }
  assert.equal(solution.sentence(), expected.sentence, code);
  assert.deepEqual(answer(() => solution.outcome(position, true)), expected.outcome, code);
  assert.equal(browser.verify(found), expected.verified, code);
  const read = browser.Solution.read(found);
  assert.equal(read.sentence(), solution.sentence(), code);
  read.free();
  solution.free();
  // Forging every game would double the time.
  if (games % 4 === 0) {
    for (const forge of forgeries) {
      const document = JSON.parse(found);
      if (forge(document)) {
        const { result, reason } = JSON.parse(browser.verify(JSON.stringify(document)));
        assert.equal(result, 'refuted', `${code}: ${forge}`);
        assert.ok(reason.length > 10, code);
        assert.throws(() => browser.Solution.read(JSON.stringify(document)), { name: 'Refuted' });
        forged++;
      }
    }
  }
}
assert.deepEqual([games, questions], [lines.length, asked.length]);
assert.ok(forged > 100, `${forged} forgeries`);
assert.throws(() => browser.verify(' '.repeat((64 << 20) + 1)), { name: 'TooLarge' });
assert.equal(JSON.parse(browser.verify('[]')).result, 'unreadable');
const ratio = (elapsed / elapsedNative).toFixed(2);
console.log(`${games} games and ${questions} questions agree with the native program, ${forged} forgeries are refused;`);
console.log(`solving took ${(elapsed / 1000).toFixed(1)} s, ${ratio} times as long`);
