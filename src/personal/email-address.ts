import { domainToASCII } from 'node:url';

/**
 * An e-mail address in the form in which two spellings of one are the same: trimmed, NFC, lower case, the domain
 * in ASCII (RFC 5891). Undefined for what is no address.
 */
export function normalAddress(address: string): string | undefined {
  if (!address.isWellFormed()) return undefined;
  const tidy = address.trim().normalize('NFC').toLowerCase();
  const at = tidy.lastIndexOf('@');
  const local = tidy.slice(0, at);
  const domain = domainToASCII(tidy.slice(at + 1));
  if (at < 1 || local.length > 64 || !/^[^\s@"<>(),:;\\[\]\p{C}]+$/u.test(local)) return undefined;
  if (
    domain.length > 253 ||
    !/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(domain)
  ) {
    return undefined;
  }
  return `${local}@${domain}`;
}
