// Verifies a certificate in the browser. A page that offers one has a button for it.

/** Starts a worker with the module. */
export function begin() {
  return new Worker(new URL('solve_worker.js', import.meta.url), { type: 'module' });
}

/** Sends one question to a worker and gives each answer to `receive`. */
export function ask(worker, question, receive) {
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = (event) => {
    event.preventDefault();
    const message = 'the computation ended: its memory was used up, or the program has an error';
    receive({ error: { name: 'Failed', message } });
  };
  worker.postMessage(question);
}

/** Checks a certificate in a worker of its own, which has only its text. */
export function verify(certificate, said) {
  said.textContent = 'The checker is at work.';
  const worker = begin();
  const started = performance.now();
  ask(worker, { kind: 'verify', certificate }, (answer) => {
    worker.terminate();
    if (answer.error) {
      said.textContent = answer.error.message;
      return;
    }
    const { result, code, status, order, heaps, reason } = answer.verified;
    const seconds = ((performance.now() - started) / 1000).toFixed(2);
    const parts = [code, status, order && `order ${order}`, heaps && `heaps 0 to ${heaps}`];
    const claim = parts.filter(Boolean).join(', ') || 'a list of quotients';
    const sentences = {
      verified: `Verified by this browser in ${seconds} s: ${claim}.`,
      refuted: `Refuted: the claim (${claim}) is wrong: ${reason}.`,
    };
    said.textContent = sentences[result] ?? `Not a certificate that can be checked: it ${reason}.`;
  });
}

/** Verifies the certificate to which the page of a game has a link. */
async function verifyLinked(said) {
  said.textContent = 'The certificate is being loaded.';
  try {
    const response = await fetch(document.getElementById('certificate').href);
    if (!response.ok) {
      throw new Error(`status ${response.status}`);
    }
    verify(await response.text(), said);
  } catch (error) {
    said.textContent = `The certificate cannot be loaded: ${error.message}.`;
  }
}

const button = document.getElementById('verify-here');
if (button) {
  button.hidden = false;
  button.addEventListener('click', () => verifyLinked(document.getElementById('verified')));
}
