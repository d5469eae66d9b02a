/** The Merkle tree of RFC 6962, section 2.1, written as the RFC defines it: slow, and in no part like src/. */
import { createHash } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

const largestPowerBelow = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1);

/** MTH(D[n]) */
export function treeHash(entries: readonly Uint8Array[]): Buffer {
  if (entries.length === 0) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), entries[0] as Uint8Array);
  const k = largestPowerBelow(entries.length);
  return sha256(Buffer.of(1), treeHash(entries.slice(0, k)), treeHash(entries.slice(k)));
}

/** PATH(m, D[n]) */
export function path(m: number, entries: readonly Uint8Array[]): Buffer[] {
  if (entries.length === 1) return [];
  const k = largestPowerBelow(entries.length);
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m < k ? [...path(m, left), treeHash(right)] : [...path(m - k, right), treeHash(left)];
}

/** PROOF(m, D[n]) */
export const proof = (m: number, entries: readonly Uint8Array[]): Buffer[] => subproof(m, entries, true);

function subproof(m: number, entries: readonly Uint8Array[], whole: boolean): Buffer[] {
  if (m === entries.length) return whole ? [] : [treeHash(entries)];
  const k = largestPowerBelow(entries.length);
  const [left, right] = [entries.slice(0, k), entries.slice(k)];
  return m <= k
    ? [...subproof(m, left, whole), treeHash(right)]
    : [...subproof(m - k, right, false), treeHash(left)];
}
