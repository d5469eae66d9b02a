import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The namespace of every name-based id of this product. */
const namespace = Buffer.from('6b1c2f0e5d3a4c1e9a777f7d8a52c9b4', 'hex');

/** A name-based UUID (RFC 9562, version 5) over the parts. Different lists of parts have different names. */
export function uuidOf(...parts: readonly string[]): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(JSON.stringify(parts))]));
  // The variant is in the two highest bits of this digit.
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3] as string;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The digits of base 62, in the order of their values. */
export const digits62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A non-negative integer in base 62, padded to `length`. */
export function base62(value: bigint, length: number): string {
  let rest = value;
  let out = '';
  for (let place = 0; place < length; place++) {
    out = (digits62[Number(rest % 62n)] as string) + out;
    rest /= 62n;
  }
  return out;
}

/** CRC-32 of a text in six base-62 digits. It finds typing errors. It is not a secret. */
export const checksum62 = (value: string): string => base62(BigInt(crc32(value)), 6);

/** The first 52 bits of the SHA-256 over the parts, never 0. JSON keeps such an integer exact. */
export function integerId(...parts: readonly string[]): number {
  const hex = hash('sha256', JSON.stringify(parts)).slice(0, 13);
  return Number.parseInt(hex, 16) || 1;
}

/** `r_`, 12 checksum bits and the 52 bits of the id, in hex (interface 2.1). */
export const svcIdOf = (id: number): string => `r_${checkedHex('svc_id', id)}`;

/** The id of an organization: `o_`, 12 checksum bits and the 52 bits of its number. */
export const orgIdOf = (number: number): string => `o_${checkedHex('org_id', number)}`;

/** The checksum differs by the kind, so that no id of one kind is one of another with the letter changed. */
function checkedHex(kind: 'svc_id' | 'org_id', number: number): string {
  const hex = number.toString(16).padStart(13, '0');
  return hash('sha256', `${kind}:${hex}`).slice(0, 3) + hex;
}

/** The 52 bits at the end of a `svc_id`, without checking its checksum. Undefined when there are none. */
export function numberIn(svcId: string): number | undefined {
  const number = Number.parseInt(svcId.slice(5), 16);
  return Number.isNaN(number) ? undefined : number;
}

/** The integer in a `svc_id`. Undefined for a text that is no `svc_id`; no store is read. */
export const integerOfSvcId = (svcId: string): number | undefined =>
  /^r_[0-9a-f]{16}$/.test(svcId) ? numberWhere(svcId, svcIdOf) : undefined;

/** The number in the id of an organization. Undefined for every other text; no store is read. */
export const integerOfOrgId = (orgId: string): number | undefined =>
  /^o_[0-9a-f]{16}$/.test(orgId) ? numberWhere(orgId, orgIdOf) : undefined;

function numberWhere(id: string, idOf: (number: number) => string): number | undefined {
  const number = Number.parseInt(id.slice(5), 16);
  return idOf(number) === id ? number : undefined;
}
