import { describe, expect, it } from 'vitest';
import { keyRing } from '../../src/ground/master-key.ts';
import { SignedValue } from '../../src/ground/signed-value.ts';

const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const asIs = { write: (value: { n: number }) => value, read: (value: { n: number }) => value };
const signed = (purpose = 'test', master: Parameters<typeof keyRing> = [key]) =>
  new SignedValue(keyRing(...master), purpose, asIs);

describe('a signed value', () => {
  it('is read on every node, and has one text', () => {
    const text = signed().seal({ n: 1 });
    expect(signed().open(text)).toEqual({ n: 1 });
    expect(signed().seal({ n: 1 })).toBe(text);
  });

  it('is refused for another purpose, under another key, changed in any byte, cut or written otherwise', () => {
    const text = signed().seal({ n: 1 });
    expect(signed('another').open(text)).toBeUndefined();
    expect(signed('test', [otherKey]).open(text)).toBeUndefined();
    const bytes = Buffer.from(text, 'base64url');
    for (const place of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      expect(signed().open(changed.toString('base64url'))).toBeUndefined();
      expect(signed().open(bytes.subarray(0, place).toString('base64url'))).toBeUndefined();
    }
    expect(signed().open(`${text}=`)).toBeUndefined();
  });

  it('is read while the key it was signed with is the previous one', () => {
    const text = signed('test', [otherKey]).seal({ n: 1 });
    expect(signed('test', [key, otherKey]).open(text)).toEqual({ n: 1 });
  });
});
