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

/** Gives an account a passkey of its own. */
export async function givePasskey(dash: Dashboard, { user }: Account, label?: string): Promise<SoftPasskey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // {1: 2, 3: -7, -1: 1, -2: x, -3: y}: an ES256 key (RFC 9053 section 7.1.1).
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
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
      const { challenge } = JSON.parse(optionsOf(page.html)) as { readonly challenge: string };
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

const optionsOf = (html: string): string =>
  (/data-passkey="get" data-options="([^"]*)"/.exec(html)?.[1] ?? '').replace(
    /&#(\d+);/g,
    (_, code: string) => String.fromCharCode(Number(code)),
  );
