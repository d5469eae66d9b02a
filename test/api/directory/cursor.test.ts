import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cursors } from '../../../src/api/directory/cursor.ts';
import { derivedKey } from '../../../src/ground/master-key.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';
import { get, type ListBody } from './read.ts';

describe('a cursor', () => {
  const masterKey = randomBytes(32);
  const sealing = cursors(masterKey);
  const elsewhere = cursors(masterKey);
  const content = fc.record({
    filter: fc.record({
      category: fc.option(fc.string(), { nil: undefined }),
      updatedSince: fc.constant(undefined),
      status: fc.constant(undefined),
      team: fc.option(fc.string(), { nil: undefined }),
    }),
    place: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 2 }),
  });

  test('opens to what it was sealed from, on every node with the same master key', () => {
    fc.assert(
      fc.property(content, (cursor) => {
        const sealed = sealing.seal(cursor);
        expect(elsewhere.open(sealed)).toEqual(cursor);
        expect(sealing.open(sealed)).toEqual(cursor);
      }),
    );
  });

  test('is authenticated by HMAC with SHA-256, of which it carries the first half', () => {
    const key = derivedKey(masterKey, 'cursor');
    fc.assert(
      fc.property(content, (cursor) => {
        const bytes = Buffer.from(sealing.seal(cursor), 'base64url');
        const tag = createHmac('sha256', key).update(bytes.subarray(16)).digest().subarray(0, 16);
        expect(bytes.subarray(0, 16)).toEqual(tag);
      }),
    );
  });

  test('does not open once a single character of it is changed, added or missing', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .\n'.split('');
    fc.assert(
      fc.property(
        content,
        fc.nat(),
        fc.constantFrom(...letters),
        fc.constantFrom('change', 'add', 'drop'),
        (cursor, at, letter, how) => {
          const sealed = sealing.seal(cursor);
          const place = at % sealed.length;
          const tail = sealed.slice(how === 'add' ? place : place + 1);
          const tampered = sealed.slice(0, place) + (how === 'drop' ? '' : letter) + tail;
          fc.pre(tampered !== sealed);
          expect(sealing.open(tampered)).toBeUndefined();
          expect(elsewhere.open(tampered)).toBeUndefined();
        },
      ),
    );
  });

  test('does not open under another master key, and nothing else opens at all', () => {
    const other = cursors(randomBytes(32));
    fc.assert(
      fc.property(content, (cursor) => {
        expect(other.open(sealing.seal(cursor))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(sealing.open(text)).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(sealing.open(Buffer.from(bytes).toString('base64url'))).toBeUndefined();
      }),
    );
  });
});

describe('the cursor of a list', () => {
  let system: RunningSystem;
  let key: TestKey;
  beforeAll(async () => {
    system = await startSystem();
    key = await system.key();
    await system.resources(20);
  });
  afterAll(() => system.stop());

  const cursorOf = async (query: string) =>
    (await get(system.server, `${v1}?${query}`, key.bearer)).json<ListBody>().next_cursor ?? '';
  const ask = (query: string) => get(system.server, `${v1}?${query}`, key.bearer);

  test('is refused with 400 when the other parameters disagree with it', async () => {
    const food = await cursorOf('category=food&limit=1');
    const found = await cursorOf('q=resource&limit=1');
    const since = await cursorOf('updated_since=2001-01-01&limit=1');
    const plain = await cursorOf('limit=1');
    for (const query of [
      `cursor=${food}&category=legal`,
      `cursor=${food}&q=resource`,
      `cursor=${found}&q=other`,
      `cursor=${since}&updated_since=2002-01-01`,
      `cursor=${plain}&category=food`,
      `cursor=${plain}&updated_since=2001-01-01`,
    ]) {
      const answer = await ask(query);
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'invalid_cursor' });
    }
  });

  test('goes on with its own query, whether the parameters are repeated or left out', async () => {
    const cursor = await cursorOf('category=food&limit=1');
    const repeated = await ask(`category=food&limit=2&cursor=${cursor}`);
    const leftOut = await ask(`limit=2&cursor=${cursor}`);
    expect(repeated.body).toBe(leftOut.body);
    const words = await cursorOf('q=Resource&limit=1');
    expect((await ask(`q=RESOURCE&cursor=${words}`)).statusCode).toBe(200);
  });

  test('is 400 when tampered with', async () => {
    const cursor = await cursorOf('limit=1');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cursor.length - 1),
        fc.constantFrom('A', 'z', '_', '%00', '%20'),
        async (at, letter) => {
          const tampered = cursor.slice(0, at) + letter + cursor.slice(at + 1);
          fc.pre(tampered !== cursor);
          expect((await ask(`cursor=${tampered}`)).statusCode).toBe(400);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('carries neither the key nor a position of the store', async () => {
    const text = Buffer.from(await cursorOf('limit=1'), 'base64url')
      .subarray(16)
      .toString();
    expect(JSON.parse(text)).toEqual([[expect.any(Number)], null, null, null, null]);
    expect(text).not.toContain(key.keyId);
  });
});
