import { createPublicKey, sign, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signingKey } from '../../../src/commands/oauth/signing-key.ts';
import {
  currentKeys,
  rotateSigningKey,
  signingKeySettings,
  SigningKeys,
  tendSigningKeys,
} from '../../../src/commands/oauth/signing-keys.ts';
import type { PublicJwk, SigningKeyEvent } from '../../../src/events/oauth/signing-key.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { given } from '../../support/decider.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const jwk: PublicJwk = { kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'k', n: 'n', e: 'AQAB' };
const published: SigningKeyEvent = { type: 'SigningKeyPublished', data: { kid: 'k', jwk } };
const activated: SigningKeyEvent = { type: 'SigningKeyActivated', data: { kid: 'k' } };
const retired: SigningKeyEvent = { type: 'SigningKeyRetired', data: { kid: 'k' } };
const activate = { kind: 'activate', kid: 'k' } as const;
const retire = { kind: 'retire', kid: 'k' } as const;

describe('a signing key', () => {
  it('is published, activated and retired, each once, and never goes back', () => {
    given(signingKey).when({ kind: 'publish', jwk }).then(published);
    given(signingKey, published).when({ kind: 'publish', jwk }).thenRefused('conflict');
    given(signingKey, published).when(activate).then(activated);
    given(signingKey, published, activated).when(activate).thenNothing();
    given(signingKey, published, activated).when(retire).then(retired);
    given(signingKey, published).when(retire).then(retired);
    given(signingKey, published, activated, retired).when(retire).thenNothing();
    given(signingKey, published, activated, retired).when(activate).thenRefused('conflict');
    for (const command of [activate, retire]) given(signingKey).when(command).thenRefused('not_found');
  });
});

describe('the signing keys', () => {
  let folder: DataFolder;
  let stores: Stores;
  let clock: Clock;
  beforeEach(() => {
    folder = dataFolder();
    stores = folder.open();
    clock = aClock();
  });
  afterEach(() => folder.dispose());

  const tend = () => tendSigningKeys(stores, clock.command());
  const kids = async () => {
    const { keys } = await new SigningKeys(stores, clock.now).jwks();
    return keys.map(({ kid }) => kid);
  };
  const signer = async () => (await new SigningKeys(stores, clock.now).signer()).kid;
  const { life, ahead, after } = signingKeySettings;
  const pass = (seconds: number) => {
    clock.pass(seconds * 1_000);
  };

  it('are looked for again when there was none: nobody believes for a minute that there is nothing', async () => {
    const keys = new SigningKeys(stores, clock.now);
    expect(await keys.jwks()).toEqual({ keys: [] });
    await tend();
    expect((await keys.jwks()).keys).toHaveLength(1);
    await expect(keys.signer()).resolves.toMatchObject({ kid: expect.any(String) as string });
  });

  it('begin with one that signs at once; the JWKS verifies what it signed', async () => {
    await tend();
    await tend();
    const keys = new SigningKeys(stores, clock.now);
    const { kid, key } = await keys.signer();
    const { keys: shown } = await keys.jwks();
    expect(shown).toEqual([
      {
        kty: 'RSA',
        use: 'sig',
        alg: 'RS256',
        kid,
        n: expect.stringMatching(/^[\w-]{342}$/) as string,
        e: 'AQAB',
      },
    ]);
    const message = Buffer.from('header.payload');
    const signature = sign('sha256', message, key);
    const [first] = shown;
    const publicKey = createPublicKey({ key: { ...first }, format: 'jwk' });
    expect(verify('sha256', message, publicKey, signature)).toBe(true);
    expect(() => sign('sha256', message, publicKey)).toThrow();
  });

  it('are none before they are tended, and then never none', async () => {
    await expect(signer()).rejects.toThrow(/no signing key in the vault/);
    await tend();
    for (let days = 0; days < 400; days += 5) {
      pass(5 * 86_400);
      await tend();
      expect((await kids()).length).toBeGreaterThan(0);
      expect(await kids()).toContain(await signer());
    }
    expect(await stores.vault.names('signing-key/')).toHaveLength((await currentKeys(stores)).length);
  });

  it('change by age: published before they sign, shown until what they signed has expired', async () => {
    await tend();
    const first = await signer();
    pass(life - ahead - 1);
    await tend();
    expect(await kids()).toEqual([first]);
    pass(1);
    await tend();
    const [, second] = await kids();
    expect(await kids()).toHaveLength(2);
    expect(await signer()).toBe(first);
    pass(ahead - 1);
    await tend();
    expect(await signer()).toBe(first);
    pass(1);
    await tend();
    expect(await signer()).toBe(second);
    pass(after - 1);
    await tend();
    expect(await kids()).toEqual([first, second]);
    pass(1);
    await tend();
    expect(await kids()).toEqual([second]);
    expect(await stores.vault.names('signing-key/')).toEqual([`signing-key/${second ?? ''}`]);
  });

  it('change by command, in the same order of things', async () => {
    await tend();
    const first = await signer();
    const second = await rotateSigningKey(stores, {}, clock.command());
    await tend();
    expect(await kids()).toEqual([first, second]);
    expect(await signer()).toBe(first);
    pass(ahead);
    await tend();
    expect(await signer()).toBe(second);
    pass(after);
    await tend();
    expect(await kids()).toEqual([second]);
  });

  it('change at once when one has leaked: what it signed is void', async () => {
    await tend();
    const second = await rotateSigningKey(stores, { atOnce: true }, clock.command());
    expect(await kids()).toEqual([second]);
    expect(await signer()).toBe(second);
  });

  it('of one process are known to every other as soon as they have changed at once', async () => {
    await tend();
    const keys = new SigningKeys(stores, clock.now);
    const another = folder.open();
    for (let round = 0; round < 3; round++) {
      const { kid } = await keys.signer();
      const next = await rotateSigningKey(another, { atOnce: true }, clock.command());
      expect((await keys.signer()).kid).toBe(next);
      expect((await keys.jwks()).keys.map((each) => each.kid)).toEqual([next]);
      expect(next).not.toBe(kid);
    }
  });

  it('once read cost a look at their names, and no stream for a minute', async () => {
    await tend();
    let reads = 0;
    const store = altered<EventStore>(stores.store, {
      readStream: (...given) => {
        reads += 1;
        return stores.store.readStream(...given);
      },
    });
    const keys = new SigningKeys({ ...stores, store }, clock.now);
    for (let round = 0; round < 5; round++) await Promise.all([keys.signer(), keys.jwks()]);
    expect(reads).toBe(1);
    pass(60);
    await keys.signer();
    expect(reads).toBe(2);
  });

  it('are nowhere in the log with their private half', async () => {
    await tend();
    const { events } = await stores.store.readAll({ after: -1n, limit: 100 });
    const log = JSON.stringify(events.map(({ data }) => data));
    expect(log).not.toMatch(/"(d|p|q|dp|dq|qi)":/);
    const [name = ''] = await stores.vault.names('signing-key/');
    const secret = Buffer.from((await stores.vault.get(name)) ?? []);
    expect(log).not.toContain(secret.toString('base64url', secret.length - 60));
  });
});
