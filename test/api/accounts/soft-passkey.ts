import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { addPasskey } from '../../../src/commands/accounts/person.ts';
import { context } from '../harness.ts';
import type { Account, Dashboard } from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';

/** A passkey in software: what a browser would answer, without a browser (WebAuthn Level 3 sections 6.1 and 7.2). */
export interface SoftPasskey {
  readonly credential: string;
  /** What is posted as the answer to the question of a page. */
  answerTo(page: PlainBrowser): Record<string, string>;
}

/** A key pair, as COSE has its public key: {1: 2, 3: -7, -1: 1, -2: x, -3: y}, ES256 (RFC 9053 section 7.1.1). */
function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  return { privateKey, cose };
}

/** Makes a passkey for a page that asks for one: what is posted as the answer (WebAuthn Level 3 section 7.1). */
export function madePasskey(page: PlainBrowser): Record<string, string> {
  const { challenge } = JSON.parse(optionsOf(page.html, 'create')) as { readonly challenge: string };
  const { origin, hostname } = page.url;
  const credential = randomBytes(16);
  const data = Buffer.concat([
    createHash('sha256').update(hostname).digest(),
    // Somebody was there, and unlocked it; a new key; no counter; no model.
    Buffer.from([0b1000101, 0, 0, 0, 0, ...Array.from({ length: 16 }, () => 0), 0, credential.length]),
    credential,
    newKey().cose,
  ]);
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
    Buffer.from([data.length >> 8, data.length & 255]),
    data,
  ]);
  const client = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin }));
  const id = credential.toString('base64url');
  const answer = JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    },
  });
  return { token: page.hidden('token'), challenge: page.hidden('challenge'), answer };
}

/** Gives an account a passkey of its own. */
export async function givePasskey(dash: Dashboard, { user }: Account, label?: string): Promise<SoftPasskey> {
  const { privateKey, cose } = newKey();
  const credential = randomBytes(16).toString('base64url');
  const passkey = { credential, publicKey: cose.toString('base64url'), transports: ['internal'] };
  const { store, vault, personal } = dash.system;
  await addPasskey(
    { store, vault, personal },
    user,
    { ...passkey, ...(label === undefined ? {} : { label }) },
    context(),
  );
  await dash.caughtUp();
  const { origin } = dash;
  const host = createHash('sha256').update(new URL(origin).hostname).digest();
  return {
    credential,
    answerTo(page) {
      const { challenge } = JSON.parse(optionsOf(page.html, 'get')) as { readonly challenge: string };
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
      // Somebody was there, and unlocked it; no counter.
      const device = Buffer.concat([host, Buffer.from([0b101]), Buffer.alloc(4)]);
      const signed = Buffer.concat([device, createHash('sha256').update(client).digest()]);
      const answer = JSON.stringify({
        id: credential,
        rawId: credential,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: device.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: Buffer.from(user.replaceAll('-', ''), 'hex').toString('base64url'),
        },
      });
      return { token: page.hidden('token'), challenge: page.hidden('challenge'), answer };
    },
  };
}

const optionsOf = (html: string, what: 'get' | 'create'): string =>
  (new RegExp(`data-passkey="${what}" data-options="([^"]*)"`).exec(html)?.[1] ?? '').replace(
    /&#(\d+);/g,
    (_, code: string) => String.fromCharCode(Number(code)),
  );
