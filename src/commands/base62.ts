import { digits62 } from '../events/ids.ts';

/** Five digits at a time: 62^5 times 2^16 is still an exact number. */
const group = 5;
const groupValue = 62 ** group;

const valueOf: ReadonlyMap<string, number> = new Map(Array.from(digits62, (digit, value) => [digit, value]));

/** Digits that hold any value of that many bytes. */
export const lengthOf = (bytes: number): number => Math.ceil((bytes * 8) / Math.log2(62));

/** An even number of bytes as one big-endian number in base 62, always of the same length for as many bytes. */
export function encode62(bytes: Uint8Array): string {
  const limbs = limbsOf(bytes);
  const text = Buffer.allocUnsafe(lengthOf(bytes.length));
  for (let end = text.length; end > 0; end -= group) {
    let rest = 0;
    for (let at = 0; at < limbs.length; at++) {
      const value = rest * 0x1_0000 + (limbs[at] as number);
      const quotient = Math.floor(value / groupValue);
      limbs[at] = quotient;
      rest = value - quotient * groupValue;
    }
    for (let at = end - 1; at >= Math.max(0, end - group); at--) {
      text[at] = digits62.charCodeAt(rest % 62);
      rest = Math.floor(rest / 62);
    }
  }
  return text.toString('latin1');
}

/** The bytes that a text of base 62 stands for; undefined for every text that `encode62` does not make. */
export function decode62(text: string, bytes: number): Uint8Array | undefined {
  if (text.length !== lengthOf(bytes)) return undefined;
  const limbs = new Array<number>(bytes / 2).fill(0);
  // The first group is the odd one, as it was the last to be written.
  for (let at = 0, end = text.length % group || group; at < text.length; at = end, end += group) {
    let carry = 0;
    for (; at < end; at++) {
      const value = valueOf.get(text[at] as string);
      if (value === undefined) return undefined;
      carry = carry * 62 + value;
    }
    for (let limb = limbs.length - 1; limb >= 0; limb--) {
      const value = (limbs[limb] as number) * groupValue + carry;
      carry = Math.floor(value / 0x1_0000);
      limbs[limb] = value - carry * 0x1_0000;
    }
    if (carry > 0) return undefined;
  }
  const out = Buffer.alloc(bytes);
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
