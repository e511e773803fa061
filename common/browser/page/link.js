// Links that carry a game, and a certificate if it is small, or a quotient:
// #CODE, #CODE&certificate=PACKED or #quotient=PRESENTATION.

const QUOTIENT = 'quotient=';
const MARK = '&certificate=';

// The most characters of a packed certificate in a link, and of one that is unpacked.
const MAX_PACKED = 16_000;
const MAX_CERTIFICATE = 16 << 20;

const through = (bytes, filter) => new Blob([bytes]).stream().pipeThrough(filter);

/** Returns the fragment for a game with its certificate; undefined if it is too long for a link. */
export async function carrying(code, certificate) {
  const stream = through(certificate, new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  if (bytes.length > (MAX_PACKED / 4) * 3) {
    return undefined;
  }
  const text = btoa(String.fromCharCode(...bytes));
  const packed = text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${encodeURIComponent(code)}${MARK}${packed}`;
}

/** Returns the quotient of a fragment, or its code, and the certificate if it carries one. */
export async function carried(fragment) {
  if (fragment.startsWith(QUOTIENT)) {
    return { quotient: decoded(fragment.slice(QUOTIENT.length)) };
  }
  const [code, packed] = fragment.split(MARK);
  if (packed === undefined) {
    return { code: decoded(code) };
  }
  const text = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return { code: decoded(code), certificate: await unpacked(bytes) };
}

/** Unpacks a certificate, which a link may have made too long to be kept. */
async function unpacked(bytes) {
  const reader = through(bytes, new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return await new Blob(parts).text();
    }
    length += value.length;
    if (length > MAX_CERTIFICATE) {
      await reader.cancel();
      throw new Error('its certificate is too long');
    }
    parts.push(value);
  }
}

function decoded(code) {
  try {
    return decodeURIComponent(code);
  } catch {
    // A stray percent sign: the text as it stands is refused by the solver.
    return code;
  }
}
