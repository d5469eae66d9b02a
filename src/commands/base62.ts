import { digits62 } from '../events/ids.ts';

/** Digits that are computed at once: 62^5 times 2^16 is still an exact number. */
const group = 5;
const groupValue = 62 ** group;

const inverse = 1 / groupValue;

const codes = Uint8Array.from(digits62, (digit) => digit.charCodeAt(0));
/** By the code of an ASCII character. -1 for a character that is no digit. */
const values = Int8Array.from({ length: 128 }, (_, code) => digits62.indexOf(String.fromCharCode(code)));

/** The number of digits that hold any value of `bytes` bytes. */
export const lengthOf = (bytes: number): number => Math.ceil((bytes * 8) / Math.log2(62));

/**
 * Encodes an even number of bytes as one big-endian number in base 62. The length of the text depends on the number
 * of bytes alone.
 */
export function encode62(bytes: Uint8Array): string {
  const limbs = limbsOf(bytes);
  const text = Buffer.allocUnsafe(lengthOf(bytes.length));
  let first = 0;
  for (let end = text.length; end > 0; end -= group) {
    while (limbs[first] === 0) first += 1;
    let rest = 0;
    for (let at = first; at < limbs.length; at++) {
      const value = rest * 0x1_0000 + (limbs[at] as number);
      // Multiplies, because a division takes twice as long. The quotient may be off by one.
      let quotient = Math.floor(value * inverse);
      rest = value - quotient * groupValue;
      if (rest < 0) [quotient, rest] = [quotient - 1, rest + groupValue];
      else if (rest >= groupValue) [quotient, rest] = [quotient + 1, rest - groupValue];
      limbs[at] = quotient;
    }
    for (let at = end - 1; at >= Math.max(0, end - group); at--) {
      const left = Math.floor(rest / 62);
      text[at] = codes[rest - left * 62] as number;
      rest = left;
    }
  }
  return text.toString('latin1');
}

/** The bytes of a text in base 62. Undefined for a text that `encode62` does not produce. */
export function decode62(text: string, bytes: number): Uint8Array | undefined {
  if (text.length !== lengthOf(bytes)) return undefined;
  const limbs = new Array<number>(bytes / 2).fill(0);
  /** The most significant limb in use. */
  let first = limbs.length - 1;
  // The first group may be shorter: the encoder works from the end.
  for (let at = 0, end = text.length % group || group; at < text.length; at = end, end += group) {
    let carry = 0;
    for (; at < end; at++) {
      const value = values[text.charCodeAt(at)];
      if (value === undefined || value < 0) return undefined;
      carry = carry * 62 + value;
    }
    for (let limb = limbs.length - 1; limb >= first || carry > 0; limb--) {
      if (limb < 0) return undefined;
      const value = (limbs[limb] as number) * groupValue + carry;
      carry = Math.floor(value / 0x1_0000);
      limbs[limb] = value - carry * 0x1_0000;
      first = Math.min(first, limb);
    }
  }
  const out = Buffer.allocUnsafe(bytes);
  limbs.forEach((limb, at) => out.writeUInt16BE(limb, at * 2));
  return out;
}

function limbsOf(bytes: Uint8Array): number[] {
  const limbs: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) {
    limbs.push((bytes[at] as number) * 0x100 + (bytes[at + 1] as number));
  }
  return limbs;
}
