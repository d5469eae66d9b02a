import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf, textOf } from '../../src/stores/mongodb-keys.ts';

/** Texts with many of the characters that matter. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u0000', '\u0001', '\u0002', 'a', 'ä', '\ud7ff', '\ue000', '～', '\uffff', '🏠'),
      fc.constantFrom('\u{10000}', '\u{10ffff}'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    { maxLength: 6 },
  )
  .map((characters) => characters.join(''));

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const byUnits = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

describe('keys of texts', () => {
  it('lead back to their texts', () => {
    fc.assert(fc.property(texts, (text) => textOf(keyOf(text)) === text));
  });

  it('hold no U+0000', () => {
    fc.assert(fc.property(texts, (text) => !keyOf(text).includes('\u0000')));
  });

  it('are in the order of their texts’ bytes, by their own bytes and by their UTF-16 units', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const order = byBytes(one, other);
        expect([byBytes(keyOf(one), keyOf(other)), byUnits(keyOf(one), keyOf(other))]).toEqual([
          order,
          order,
        ]);
      }),
    );
  });

  it('begin alike when their texts do', () => {
    fc.assert(fc.property(texts, texts, (one, other) => keyOf(one + other).startsWith(keyOf(one))));
  });

  it('are the texts themselves where nothing stands in the way', () => {
    expect(keyOf('attempt-7f3a/ünï')).toBe('attempt-7f3a/ünï');
  });

  it('are refused to a lone surrogate', () => {
    for (const text of ['\ud800', 'a\udc00b']) expect(() => keyOf(text)).toThrow(/surrogate/);
  });
});
