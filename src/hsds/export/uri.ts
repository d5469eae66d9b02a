/** Characters that a URI may have after its authority (RFC 3986, 2). `%` only before two hex digits. */
const foreign = /%(?![0-9a-f]{2})|[^\w\-.~:/?#@!$&'()*+,;=%]/gi;

/**
 * The web address as a URI (RFC 3986), which HSDS wants: hosts in Punycode, all other foreign characters
 * percent-encoded. The same text where it is one.
 */
export function uriOf(address: string): string {
  const [, authority = '', rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(address) ?? [];
  if (/^https?:\/\/[a-z0-9.:-]+$/i.test(authority) && isClean(rest)) return address;
  const parsed = URL.parse(address);
  if (!parsed) return address;
  const { protocol, host, pathname, search, hash } = parsed;
  const credentials = parsed.username === '' ? '' : `${encoded(parsed.username)}@`;
  return `${protocol}//${credentials}${host}${encoded(pathname)}${encoded(search)}${hash.slice(0, 1)}${encoded(hash.slice(1)).replaceAll('#', '%23')}`;
}

/** The address as it was written, where that is not the URI. */
export const foreignAddress = (url: string | undefined): string | undefined =>
  url === undefined || uriOf(url) === url ? undefined : url;

function isClean(rest: string): boolean {
  foreign.lastIndex = 0;
  return !foreign.test(rest) && rest.indexOf('#') === rest.lastIndexOf('#');
}

const encoded = (part: string): string =>
  part.replace(foreign, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
