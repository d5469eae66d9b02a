import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * An email address in the form in which two spellings of one are the same: trimmed, NFC, lower case, the domain
 * in ASCII (RFC 5891). Undefined for what is no address. What is one holds, trimmed, nothing that means something
 * else to whoever sends mail to it: one @, no white space, no control characters, no domain that needs guessing.
 */
export function normalAddress(address: string): string | undefined {
  if (!address.isWellFormed()) return undefined;
  const [left = '', right = '', ...more] = address.trim().split('@');
  if (more.length > 0) return undefined;
  const local = left.normalize('NFC').toLowerCase();
  if (local.length > 64 || !isPlain(local) || !isPlain(local.normalize('NFKC'))) return undefined;
  const domain = asciiDomain(right.toLowerCase());
  return domain === undefined ? undefined : `${local}@${domain}`;
}

/** A wide @ or comma, which NFKC makes a narrow one, is as bad. */
const isPlain = (local: string): boolean => /^[^\s@"<>(),:;\\[\]\p{C}]+$/u.test(local);

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^(?:${label}\\.)*${label}$`);

/**
 * A domain in lower case as the name of a host. `domainToASCII` reads it as a browser reads the beginning of an
 * address: it drops tabs, line ends and whatever follows a slash, decodes %2e, reads 0x7f.1 as 127.0.0.1 and a
 * wide letter as a narrow one. Mail programs do none of this, so mail would go elsewhere than where the name says:
 * only what it leaves as it was is taken.
 */
function asciiDomain(given: string): string | undefined {
  const ascii = domainToASCII(given);
  if (given !== ascii && given !== domainToUnicode(ascii)) return undefined;
  if (ascii.length > 253 || !hostName.test(ascii)) return undefined;
  // A number at the end is an address of a machine (WHATWG URL, "ends in a number"), not the name of one.
  return /(?:^|\.)\d+$/.test(ascii) ? undefined : ascii;
}
