import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * An address as we write to it. Unicode has characters that only look like an ASCII letter, such as the Kelvin sign;
 * NFC makes the letter of it. `normalAddress` takes both for the same address, so both must reach the same mailbox.
 */
export const writtenAddress = (address: string): string => address.trim().normalize('NFC');

/**
 * Normalises an email address: trimmed, NFC, lower case, the domain in ASCII (RFC 5891). Undefined for an invalid
 * address. A valid one has nothing that a mail program could read differently: one @, no white space, no control
 * characters, no ambiguous domain.
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

/** Also applied after NFKC, which turns a full-width @ or comma into the ASCII one. */
const isPlain = (local: string): boolean => /^[^\s@"<>(),:;\\[\]\p{C}]+$/u.test(local);

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostName = new RegExp(`^(?:${label}\\.)*${label}$`);

/**
 * A lower-case domain in ASCII. `domainToASCII` parses it as a browser does: it drops tabs, line ends and
 * everything after a slash, decodes %2e, reads 0x7f.1 as 127.0.0.1 and full-width letters as ASCII. Mail programs
 * do none of this and would send the mail elsewhere. So only domains that it leaves unchanged are accepted.
 */
function asciiDomain(domain: string): string | undefined {
  const ascii = domainToASCII(domain);
  if (domain !== ascii && domain !== domainToUnicode(ascii)) return undefined;
  if (ascii.length > 253 || !hostName.test(ascii)) return undefined;
  // A domain that ends in a number is an IP address (WHATWG URL, "ends in a number").
  return /(?:^|\.)\d+$/.test(ascii) ? undefined : ascii;
}
