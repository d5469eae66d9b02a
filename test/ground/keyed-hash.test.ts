import { createHmac, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { HmacKey, KeyedHash } from '../../src/ground/keyed-hash.ts';
import { keyRing } from '../../src/ground/master-key.ts';

const [key, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

it('is the same on every node, and another for another text, purpose or key', () => {
  const hash = new KeyedHash(key, 'test').of('text');
  expect(new KeyedHash(key, 'test').of('text')).toBe(hash);
  expect(new KeyedHash(key, 'test').of('another')).not.toBe(hash);
  expect(new KeyedHash(key, 'another').of('text')).not.toBe(hash);
  expect(new KeyedHash(former, 'test').of('text')).not.toBe(hash);
});

it('is recognised under the key before a rotation, and nothing else is', () => {
  const before = new KeyedHash(former, 'test').of('text');
  const rotated = new KeyedHash(keyRing(key, former), 'test');
  expect(rotated.isOf('text', before)).toBe(true);
  expect(rotated.isOf('text', rotated.of('text'))).toBe(true);
  expect(rotated.all('text')).toEqual([rotated.of('text'), before]);
  for (const wrong of ['', before.slice(1), `${before}=`, new KeyedHash(key, 'test').of('another')])
    expect(rotated.isOf('text', wrong)).toBe(false);
});

it('is HMAC with SHA-256, for keys of every length up to a block', () => {
  for (let length = 1; length <= 64; length++) {
    const [secret, one, two] = [randomBytes(length), randomBytes(28), randomBytes(length)];
    const expected = createHmac('sha256', secret).update(one).update(two).digest('hex');
    expect(new HmacKey(secret).of(one, two).toString('hex')).toBe(expected);
  }
  expect(() => new HmacKey(randomBytes(65))).toThrow('65 bytes');
});
