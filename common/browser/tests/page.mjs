// Uses the page in Chromium, from a plain server of files.
//
//     node page.mjs DIRECTORY_OF_THE_PAGE ANSWERS_OF_THE_NATIVE_PROGRAM
//
// Pictures are written beside the page, into screenshots/. CHROMIUM names another browser.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [directory, native] = process.argv.slice(2);
const WAIT_MS = 90_000;

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };
const server = createServer((request, response) => {
  const file = basename(new URL(request.url, 'http://host').pathname);
  try {
    const body = readFileSync(join(directory, file));
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

// The DevTools protocol over a pipe: JSON texts that end in a zero byte.
const profile = mkdtempSync(join(tmpdir(), 'misere-page-'));
const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars', '--no-first-run', '--disable-background-networking', `--user-data-dir=${profile}`, '--remote-debugging-pipe', 'about:blank'];
const chromium = spawn(process.env.CHROMIUM ?? 'chromium', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
const waiting = new Map();
const complaints = [];
const elsewhere = [];
let session;
let calls = 0;
let received = '';
chromium.stdio[4].setEncoding('utf8').on('data', (data) => {
  received += data;
  const messages = received.split('\0');
  received = messages.pop();
  for (const { id, method, params, ...answer } of messages.map((text) => JSON.parse(text))) {
    if (id) {
      waiting.get(id)(answer);
      waiting.delete(id);
    } else if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') {
      complaints.push(JSON.stringify(params));
    } else if (method === 'Network.requestWillBeSent') {
      elsewhere.push(...[params.request.url].filter((url) => !url.startsWith(origin) && !url.startsWith(`blob:${origin}`)));
    }
  }
});

async function call(method, params = {}) {
  const id = ++calls;
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  chromium.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
  const { error, result } = await answered;
  assert.equal(error, undefined, method);
  return result;
}

async function value(expression) {
  const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  assert.equal(exceptionDetails, undefined, expression);
  return result.value;
}

async function until(expression) {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(50)) {
    if (await value(expression)) {
      return;
    }
  }
  assert.fail(`never: ${expression}`);
}

const text = (id) => value(`document.getElementById('${id}').textContent`);
const shown = (id) => `document.getElementById('${id}')?.closest('[hidden]') === null && document.getElementById('${id}').textContent`;

async function open(fragment) {
  await call('Page.navigate', { url: 'about:blank' });
  await call('Page.navigate', { url: `${origin}/solve.html${fragment}` });
  await until("document.readyState === 'complete' && document.getElementById('code') !== null");
}

async function look(width, isDark) {
  await call('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 });
  await call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }] });
}

async function picture(name) {
  assert.equal(await value('document.documentElement.scrollWidth <= innerWidth'), true, `${name} is too wide`);
  const { data } = await call('Page.captureScreenshot', { captureBeyondViewport: true });
  mkdirSync(join(directory, 'screenshots'), { recursive: true });
  writeFileSync(join(directory, 'screenshots', `${name}.png`), Buffer.from(data, 'base64'));
}

/** Gives a certificate to the page as a file, and returns what the page says of it. */
async function verify(certificate) {
  await value("document.getElementById('file-verified').textContent = ''");
  await value(`{
    const chosen = new DataTransfer();
    chosen.items.add(new File([${JSON.stringify(certificate)}], 'certificate.json'));
    document.getElementById('file').files = chosen.files;
    document.getElementById('file').dispatchEvent(new Event('change'));
  }`);
  await until(`!['', 'The checker is at work.'].includes(document.getElementById('file-verified').textContent)`);
  return text('file-verified');
}

try {
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  ({ sessionId: session } = await call('Target.attachToTarget', { targetId, flatten: true }));
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) {
    await call(`${domain}.enable`);
  }

  // A link carries the game: it is solved, verified, and played.
  for (const [code, verdict, outcome] of [
    ['0.123', 'Solved: period 5 from heap 5 on.', 'N'],
    ['0.77', 'Solved: period 12 from heap 71 on.', 'N'],
    ['0.26', 'Solved by a law of period 4, which decides every position; the quotient is infinite.', 'N'],
  ]) {
    await look(1280, false);
    await open(`#${code}`);
    await until(shown('verdict'));
    assert.equal(await text('verdict'), verdict);
    await value("document.getElementById('verify').click()");
    await until("document.getElementById('verified').textContent.includes('erif')");
    assert.match(await text('verified'), new RegExp(`^Verified by this browser in [0-9.]+ s: ${code}, solved,`));
    await value(`document.getElementById('position').value = '1000000 + 999999'`);
    await value("document.getElementById('asked').requestSubmit()");
    await until("document.getElementById('outcome').textContent.includes('wins')");
    assert.ok((await text('outcome')).startsWith(`${outcome}: `));
    await picture(`solve-${code}`);
    await look(390, true);
    await picture(`solve-${code}-phone-dark`);
  }
  const certificate = await value("fetch(document.getElementById('download').href).then((file) => file.text())");
  assert.match(await verify(certificate), /^Verified by this browser/);
  const forged = JSON.parse(certificate);
  forged.quotient.p_portion.pop();
  assert.match(await verify(JSON.stringify(forged)), /^Refuted: /);
  assert.match(await verify('{'), /^Not a certificate that can be checked: /);

  // A link carries the certificate, too; with another one it is refused.
  await open('#0.123');
  await until(shown('link'));
  const link = new URL(await value("document.getElementById('link').href")).hash;
  assert.ok(link.length < 4_000, `${link.length} characters`);
  await open(link);
  await until("document.getElementById('said').textContent.includes('verified it')");
  assert.equal(await text('verdict'), 'Solved: period 5 from heap 5 on.');
  const changed = JSON.parse(await value("fetch(document.getElementById('download').href).then((file) => file.text())"));
  changed.quotient.p_portion.pop();
  const other = await value(`import('./link.js').then(({ carrying }) => carrying('0.123', ${JSON.stringify(JSON.stringify(changed))}))`);
  for (const [fragment, sentence] of [
    [`#${other}`, /^the certificate /],
    [link.slice(0, -40), /^The link is damaged: /],
    ['#0.123&certificate=%', /^The link is damaged: /],
  ]) {
    await open(fragment);
    await until("document.getElementById('said').textContent");
    assert.match(await text('said'), sentence);
    assert.equal(await value("document.getElementById('result').hidden"), true);
  }

  // Quotients and single games.
  await open('');
  for (const [form, given, answer, sentences] of [
    ['quotient-question', { quotient: '<a,b | a^2=1, b^3=b> P={a,b^2}' }, 'quotient-answer', ['T_2, order 6, 2 in P', 'calls it T_2']],
    ['quotient-question', { quotient: 'R_8', product: 'b·c·c' }, 'quotient-answer', ['b·c·c = b, not in P', 'order 8']],
    ['quotient-question', { quotient: 'R_9', product: '' }, 'quotient-answer', ['no misère quotient is called R_9']],
    ['games-question', { one: '0.123:3', other: '*2' }, 'games-answer', ['0.123:3 equals *2 in misère play']],
    ['games-question', { one: '2+', other: '0' }, 'games-answer', ['2+ is not 0', 'tells them apart']],
    ['games-question', { one: '0.123:8', other: '' }, 'games-answer', ['0.123:8 is {{*2},*}']],
  ]) {
    for (const [id, text] of Object.entries(given)) {
      await value(`document.getElementById('${id}').value = ${JSON.stringify(text)}`);
    }
    await value(`document.getElementById('${form}').requestSubmit()`);
    await until(`!['', 'It is being computed.'].includes(document.getElementById('${answer}').textContent)`);
    for (const sentence of sentences) {
      assert.ok((await text(answer)).includes(sentence), `${sentence}: ${await text(answer)}`);
    }
  }
  await look(390, false);
  await picture('calculator-phone');

  // What is not understood is said; a computation is stopped.
  await open(`#${encodeURIComponent('<b>0.7')}`);
  await until("document.getElementById('said').textContent");
  assert.match(await text('said'), /^bad code `<b>0\.7`/);
  await value("document.getElementById('evidence').value = '40000000'");
  await value("document.getElementById('code').value = '0.07'");
  await value("document.getElementById('question').requestSubmit()");
  await until("document.getElementById('reached').textContent.includes('order')");
  await picture('at-work');
  await value("document.getElementById('stop').click()");
  await until("document.getElementById('said').textContent === 'Stopped.' && document.getElementById('progress').hidden");

  // The certificates of this browser are those of the native program.
  const games = readFileSync(new URL('games.txt', import.meta.url), 'utf8').trimEnd().split('\n');
  const answers = readFileSync(native, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));
  await value("import('./misere_browser.js').then(async (module) => { await module.default(); globalThis.misere = module; })");
  let compared = 0;
  for (const [index, answer] of answers.entries()) {
    if (index < games.length && index % 8 === 0 && typeof answer.certificate === 'string') {
      const [code, , budget] = games[index].split('\t').map((field) => JSON.stringify(field));
      const found = await value(`misere.Solution.solve(${code}, ${budget}).document()`);
      assert.equal(found, answer.certificate, code);
      compared++;
    }
  }
  assert.deepEqual({ complaints, elsewhere }, { complaints: [], elsewhere: [] });
  console.log(`the page works in Chromium, and ${compared} of its certificates are those of the native program`);
} finally {
  chromium.kill();
  server.close();
  await new Promise((resolve) => chromium.once('close', resolve));
  rmSync(profile, { recursive: true, force: true });
}
