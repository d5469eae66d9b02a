import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode62, encode62, lengthOf } from '../../src/commands/base62.ts';

const bytes = fc
  .integer({ min: 1, max: 32 })
  .chain((half) => fc.uint8Array({ minLength: half * 2, maxLength: half * 2 }));

describe('bytes in base 62', () => {
  it('come back as they were, from digits of a length that depends on theirs alone', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const text = encode62(given);
        expect(text).toMatch(/^[0-9A-Za-z]+$/);
        expect(text).toHaveLength(lengthOf(given.length));
        expect(Buffer.from(decode62(text, given.length) ?? [])).toEqual(Buffer.from(given));
      }),
    );
  });

  it('are the number that they spell, biggest digit first', () => {
    fc.assert(
      fc.property(bytes, (given) => {
        const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
        const value = Array.from(encode62(given)).reduce(
          (sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)),
          0n,
        );
        expect(value).toBe(BigInt(`0x${Buffer.from(given).toString('hex')}`));
      }),
    );
  });

  it('have one spelling: no text but that one is read as they are', () => {
    fc.assert(
      fc.property(fc.string({ minLength: lengthOf(8), maxLength: lengthOf(8) }), (text) => {
        const read = decode62(text, 8);
        if (read) expect(encode62(read)).toBe(text);
      }),
    );
    const largest = encode62(new Uint8Array(8).fill(255));
    expect(decode62('z'.repeat(lengthOf(8)), 8), 'more than eight bytes hold').toBeUndefined();
    expect(decode62(largest, 8)).toEqual(Buffer.alloc(8, 255));
    for (const text of [
      '',
      largest.slice(1),
      `0${largest}`,
      `${largest.slice(1)}-`,
      `${largest.slice(1)}é`,
    ]) {
      expect(decode62(text, 8), text).toBeUndefined();
    }
  });
});
