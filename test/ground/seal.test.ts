import { describe, expect, it } from 'vitest';
import { keyRing } from '../../src/ground/master-key.ts';
import { SealedValue } from '../../src/ground/seal.ts';

const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const at = new Date('2026-01-01T00:00:00Z');
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
const sealed = (purpose = 'test', master: Parameters<typeof keyRing> = [key]) =>
  new SealedValue<string>(keyRing(...master), purpose, 60);

describe('a sealed value', () => {
  it('is opened on every node until its time is over, and says nothing to others', () => {
    const text = sealed().seal('secret', at);
    expect(Buffer.from(text, 'base64url').toString()).not.toContain('secret');
    expect(sealed().open(text, later(60))).toBe('secret');
    expect(sealed().open(text, later(61))).toBeUndefined();
  });

  it('is not opened for another purpose, under another key, changed in any byte or cut', () => {
    const text = sealed().seal('secret', at);
    expect(sealed('another').open(text, at)).toBeUndefined();
    expect(sealed('test', [otherKey]).open(text, at)).toBeUndefined();
    const bytes = Buffer.from(text, 'base64url');
    for (const place of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
      expect(sealed().open(changed.toString('base64url'), at)).toBeUndefined();
      expect(sealed().open(bytes.subarray(0, place).toString('base64url'), at)).toBeUndefined();
    }
  });

  it('is opened while the key it was sealed with is the previous one', () => {
    const text = sealed('test', [otherKey]).seal('secret', at);
    expect(sealed('test', [key, otherKey]).open(text, at)).toBe('secret');
  });
});
