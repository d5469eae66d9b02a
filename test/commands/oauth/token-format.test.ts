import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatToken, parseToken, type Token } from '../../../src/commands/oauth/token-format.ts';
import { tokenKeyLifeSeconds, TokenKeys } from '../../../src/commands/oauth/token-keys.ts';
import type { Vault } from '../../../src/stores/vault/port.ts';
import { HmacKey } from '../../../src/ground/keyed-hash.ts';
import { altered } from '../../support/altered.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const key = new HmacKey(randomBytes(32));
const other = new HmacKey(randomBytes(32));
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const aToken: fc.Arbitrary<Token> = fc
  .record({
    kind: fc.constantFrom('code' as const, 'access' as const, 'refresh' as const),
    keyId: fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    grantId: fc.uuid(),
    generation: fc.nat({ max: 0xffff_ffff }),
    expires: fc.nat({ max: 0xffff_ffff }),
  })
  .map(({ expires, kind, ...named }) =>
    kind === 'access' ? { kind, ...named, expires } : { kind, ...named },
  );

describe('a token', () => {
  it('says what it was made of, and is authentic under its key alone', () => {
    fc.assert(
      fc.property(aToken, (token) => {
        const claimed = parseToken(formatToken(token, key));
        expect(claimed?.token).toEqual(token);
        expect(claimed?.authentic(key)).toBe(true);
        expect(claimed?.authentic(other)).toBe(false);
      }),
    );
  });

  it('has a prefix that tells its kind, and is letters and digits besides', () => {
    const named = { keyId: '00000001', grantId: randomUUID(), generation: 1 };
    expect(formatToken({ kind: 'code', ...named }, key)).toMatch(/^sac_[0-9A-Za-z]{60}$/);
    expect(formatToken({ kind: 'refresh', ...named }, key)).toMatch(/^srt_[0-9A-Za-z]{60}$/);
    expect(formatToken({ kind: 'access', ...named, expires: 1 }, key)).toMatch(/^sat_[0-9A-Za-z]{65}$/);
  });

  it('is no other kind of token under another prefix', () => {
    const code = formatToken({ kind: 'code', keyId: '00000001', grantId: randomUUID(), generation: 1 }, key);
    expect(parseToken(code.replace('sac_', 'srt_'))?.authentic(key)).toBe(false);
    expect(parseToken(code.replace('sac_', 'sat_'))).toBeUndefined();
  });
});

describe('token keys', () => {
  let folder: DataFolder;
  let stores: Stores;
  let clock: Clock;
  beforeEach(() => {
    folder = dataFolder();
    stores = folder.open();
    clock = aClock();
  });
  afterEach(() => folder.dispose());

  /** The vault, and how often it was asked. */
  const counted = () => {
    let asked = 0;
    const count =
      <Args extends unknown[], Result>(method: (...args: Args) => Result) =>
      (...args: Args) => {
        asked += 1;
        return method(...args);
      };
    const { vault } = stores;
    const counting: Vault = altered<Vault>(vault, {
      get: count(vault.get.bind(vault)),
      names: count(vault.names.bind(vault)),
    });
    return { vault: counting, asked: () => asked };
  };

  const aRefresh = async (keys: TokenKeys): Promise<Token> => ({
    kind: 'refresh',
    keyId: await keys.current(),
    grantId: randomUUID(),
    generation: 3,
  });

  it('refuse a token of which any one character is another, without asking any store', async () => {
    const { vault, asked } = counted();
    const keys = new TokenKeys(vault, clock.now);
    const token = { ...(await aRefresh(keys)), kind: 'access', expires: 9 } as Token;
    const text = await keys.write(token);
    expect(await keys.read(text)).toEqual(token);
    // The first unknown key's id is looked for; then misses are remembered.
    expect(await keys.read(formatToken({ ...token, keyId: 'ffffffff' }, other))).toBeUndefined();
    const before = asked();
    for (let at = 0; at < text.length; at++) {
      for (const digit of digits) {
        if (text[at] === digit) continue;
        const forged = text.slice(0, at) + digit + text.slice(at + 1);
        expect(await keys.read(forged), forged).toBeUndefined();
      }
    }
    expect(asked()).toBe(before);
  });

  it('refuse every token of which one bit is another', async () => {
    const keys = new TokenKeys(stores.vault, clock.now);
    const text = await keys.write(await aRefresh(keys));
    for (let bit = 0; bit < text.length * 8; bit++) {
      const bytes = Buffer.from(text, 'latin1');
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(await keys.read(bytes.toString('latin1'))).toBeUndefined();
    }
  });

  it.each(['', 'x', 'sat_', 'sat_x', `srt_${'0'.repeat(60)}`, `srt_${'z'.repeat(60)}`, 'Bearer', '\0', 'é'])(
    'refuse %j',
    async (text) => {
      expect(await new TokenKeys(stores.vault, clock.now).read(text)).toBeUndefined();
    },
  );

  it('are the same in every process, and after a restart', async () => {
    const [one, two] = [new TokenKeys(stores.vault, clock.now), new TokenKeys(stores.vault, clock.now)];
    const token = await aRefresh(one);
    expect(await two.current()).toBe(token.keyId);
    expect(await two.read(await one.write(token))).toEqual(token);
  });

  it('that another process has just made are found at once, and asked for every ten seconds at most', async () => {
    const { vault, asked } = counted();
    const [maker, reader] = [new TokenKeys(stores.vault, clock.now), new TokenKeys(vault, clock.now)];
    const old = await maker.write(await aRefresh(maker));
    expect(await reader.read(old)).toBeDefined();
    clock.pass(1_000);
    await maker.rotate();
    const token = await aRefresh(maker);
    expect(await reader.read(await maker.write(token))).toEqual(token);
    expect(await reader.read(old)).toBeDefined();
    const unknown = formatToken({ ...token, keyId: '7fffffff' }, other);
    await reader.read(unknown);
    const before = asked();
    for (let n = 0; n < 50; n++) expect(await reader.read(unknown)).toBeUndefined();
    expect(asked()).toBe(before);
    clock.pass(10_001);
    await reader.read(unknown);
    expect(asked()).toBeGreaterThan(before);
  });

  it('give way to the next one in good time: every process has it before it is used', async () => {
    const [one, two] = [new TokenKeys(stores.vault, clock.now), new TokenKeys(stores.vault, clock.now)];
    const first = await one.current();
    expect(await two.current()).toBe(first);
    clock.pass((tokenKeyLifeSeconds - 300) * 1_000);
    expect(await one.current()).toBe(first);
    expect(await stores.vault.names('token-key/')).toHaveLength(2);
    clock.pass(600_000);
    const second = await one.current();
    expect(second).not.toBe(first);
    expect(await two.current()).toBe(second);
    expect(await stores.vault.names('token-key/')).toHaveLength(2);
  });

  it('that replace others are told, once for each process that makes one, and the first is not', async () => {
    const told: string[] = [];
    const keys = new TokenKeys(stores.vault, clock.now, (id) => told.push(id));
    await keys.current();
    expect(told).toEqual([]);
    clock.pass((tokenKeyLifeSeconds - 300) * 1_000);
    await keys.current();
    await keys.current();
    clock.pass(600_000);
    expect(told).toEqual([await keys.current()]);
  });

  it('are forgotten when nothing that they authenticate can be good any more', async () => {
    const keys = new TokenKeys(stores.vault, clock.now);
    const old = await keys.write(await aRefresh(keys));
    clock.pass(1_000_000);
    await keys.rotate();
    clock.pass(2_000_000);
    expect(await keys.forget(1_000)).toEqual([parseToken(old)?.token.keyId]);
    expect(await keys.read(old)).toBeUndefined();
    expect(await keys.forget(1_000)).toEqual([]);
    const young = await keys.write(await aRefresh(keys));
    await keys.rotate();
    expect(await keys.forget(1_000)).toEqual([]);
    expect(await keys.read(young)).toBeDefined();
  });
});
