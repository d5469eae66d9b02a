// Says why the signature of a webhook is not valid, from what somebody pastes. Everything stays in the memory of this
// page: there is no form that could be sent, and the policy of the page lets no script connect to anything.
/* global document, crypto, TextEncoder, atob, btoa */

const bytesOf = (text) => new TextEncoder().encode(text);

async function hmac(key, text) {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytesOf(text)));
}

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

/** The 32 bytes that a secret encodes. Undefined: it is none. */
function decoded(secret) {
  try {
    const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (each) => each.charCodeAt(0));
    return secret.startsWith('whsec_') && bytes.length === 32 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Headers as lines, as `curl -v` prints them, or as an object in JSON. Names in small letters. */
function headersIn(text) {
  const found = {};
  const put = (name, value) => (found[name.trim().toLowerCase()] = String(value).trim());
  try {
    for (const [name, value] of Object.entries(JSON.parse(text))) put(name, value);
    return found;
  } catch {
    for (const line of text.split('\n')) {
      const [, name, value] = /^[<>*\s]*([\w-]+)\s*:\s?(.*)$/.exec(line) ?? [];
      if (name) put(name, value);
    }
    return found;
  }
}

/** What a program may have made of the body, and how to bring back what was sent. */
function changed(body) {
  const variants = [
    ['A line break stands at its end that we did not send.', body.replace(/[\r\n]+$/, '')],
    ['Spaces or line breaks stand around it that we did not send.', body.trim()],
    ['Its line breaks were changed.', body.replace(/\r\n/g, '\n')],
    ['An invisible mark (BOM) stands at its beginning.', body.replace(/^\uFEFF/, '')],
    ['A line break at its end was removed.', `${body}\n`],
  ];
  try {
    variants.push([
      'It is JSON that was read and written again: its spaces, line breaks or escapes are other ones. Verify the raw body, before anything parses it.',
      JSON.stringify(JSON.parse(body)),
    ]);
  } catch {
    // No JSON, which is said below.
  }
  return variants.filter(([, text]) => text !== body);
}

/** Which of the two signatures fit. */
async function fits(headers, body, secret) {
  const key = decoded(secret);
  if (!key) return { own: false, standard: false };
  const own = `sha256=${hex(await hmac(bytesOf(secret), body))}`;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const standard = `v1,${base64(await hmac(key, signed))}`;
  return {
    own: headers['x-service-signature'] === own,
    standard: (headers['webhook-signature'] ?? '').split(' ').includes(standard),
  };
}

const longestAgeSeconds = 300;

/** Whether the signature is valid, and if not, why: the cause and what to do. `other`: another secret, if there is one. */
async function diagnose({ body, headers: text, secret: typed, other: typedOther = '', now }) {
  const headers = headersIn(text);
  const [secret, other] = [typed.trim(), typedOther.trim()];
  const wrong = (cause, ...more) => ({ valid: false, cause, sentences: more });
  if (headers['x-service-signature'] === undefined && headers['webhook-signature'] === undefined)
    return wrong(
      'header missing',
      'Neither X-Service-Signature nor webhook-signature is among the headers. A proxy or your framework may have removed them, or the request is not from us.',
    );
  if (!decoded(secret))
    return wrong(
      'wrong secret',
      'This is no signing secret. One begins with whsec_, and 44 characters follow. Copy it whole, without quotes.',
    );
  const missing = ['webhook-id', 'webhook-timestamp'].filter((name) => headers[name] === undefined);
  const as = await fits(headers, body, secret);
  const age = Math.round(now / 1_000 - Number(headers['webhook-timestamp']));
  if (as.own || as.standard) {
    if (!as.own && as.standard && headers['x-service-signature'] !== undefined)
      return wrong(
        'secret of a rotation',
        'This is the next secret, which is prepared. webhook-signature is valid with it. X-Service-Signature is still made with the present secret, until the next one is activated: accept both until then.',
      );
    if (!as.standard && headers['webhook-signature'] !== undefined && missing.length > 0)
      return wrong(
        'header missing',
        `X-Service-Signature is valid. For webhook-signature ${missing.join(' and ')} is missing, which it covers. A proxy or your framework may have removed it.`,
      );
    if (!as.standard && headers['webhook-signature'] !== undefined)
      return wrong(
        'header changed',
        'X-Service-Signature is valid, so the secret and the body are right. webhook-id or webhook-timestamp is not the one that we sent.',
      );
    if (Math.abs(age) > longestAgeSeconds)
      return wrong(
        'timestamp too old',
        `The signature is valid, but webhook-timestamp is ${age < 0 ? `${-age} seconds in the future` : `${age} seconds ago`}. Libraries refuse what is more than five minutes off. If you paste an old request, that is why; if it has just arrived, set the clock of your machine.`,
      );
    return {
      valid: true,
      cause: 'valid',
      sentences: ['The signature is valid: secret, body and headers are what we sent.'],
    };
  }
  for (const [sentence, text] of changed(body)) {
    const fit = await fits(headers, text, secret);
    if (fit.own || fit.standard) return wrong('body changed', sentence);
  }
  if (other !== '') {
    for (const text of [body, ...changed(body).map(([, variant]) => variant)]) {
      const fit = await fits(headers, text, other);
      if (fit.own || fit.standard)
        return wrong(
          'secret of a rotation',
          'The request is signed with the other secret. The first one is the old secret of a rotation, or is not active yet.',
        );
    }
  }
  if (missing.length > 0 && headers['x-service-signature'] === undefined)
    return wrong(
      'header missing',
      `webhook-signature covers ${missing.join(' and ')} too, which is missing. A proxy or your framework may have removed it.`,
    );
  let parsed;
  try {
    parsed = JSON.parse(body);
  } catch {
    return wrong(
      'body changed',
      'What you pasted is no JSON, so it is not the body that we sent. It may be cut off, or read as a form.',
    );
  }
  const id = headers['webhook-id'] ?? headers['x-service-delivery'];
  if (id !== undefined && parsed?.delivery_id !== undefined && parsed.delivery_id !== id)
    return wrong(
      'body changed',
      'Body and headers are of different deliveries: delivery_id in the body is not the id among the headers.',
    );
  const rotating = (headers['webhook-signature'] ?? '').includes(' ');
  return wrong(
    'wrong secret',
    'Neither signature fits, and the body looks like one of ours. Most likely the secret is that of another webhook, or an old one that was replaced. Compare it with where you stored the newest, or replace it in the settings of the webhook.',
    ...(rotating
      ? [
          'Two signatures stand in webhook-signature: a next secret is prepared. Neither of them is made with this one.',
        ]
      : []),
    ...(JSON.stringify(parsed) === body ? [] : ['The body was written again as well: verify the raw bytes.']),
  );
}

const part = document.querySelector('[data-signature]');
if (part) {
  const status = part.querySelector('[role=status]');
  const value = (name) => part.querySelector(`#${name}`).value;
  if (crypto.subtle) part.hidden = false;
  else document.querySelector('[data-insecure]').hidden = false;
  part.querySelector('button').addEventListener('click', async () => {
    const { valid, cause, sentences } = await diagnose({
      body: value('signed-body'),
      headers: value('signed-headers'),
      secret: value('signed-secret'),
      other: value('signed-other'),
      now: Date.now(),
    });
    const heading = document.createElement('strong');
    heading.textContent = valid ? 'Valid.' : `Not valid: ${cause}.`;
    const lines = sentences.map((sentence) => {
      const line = document.createElement('p');
      line.textContent = sentence;
      return line;
    });
    status.className = `notice ${valid ? 'done' : 'wrong'}`;
    status.replaceChildren(heading, ...lines);
  });
}
