/** The characters of a URI (RFC 3986 section 2) without the fragment's `#` and the wildcard's `*`. */
const characters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;

/**
 * Why a URI cannot be a redirect URI, as a sentence. Undefined when it can. It must be https, or http on localhost
 * for development (interface 2.4), without fragment (RFC 6749 section 3.1.2), user information (RFC 3986 section
 * 3.2.1) or wildcard. It is compared character by character (RFC 9700 section 4.1.3).
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > 2_000) return 'A redirect URI must not be longer than 2,000 characters.';
  if (uri.includes('#')) return 'A redirect URI must not have a fragment (#).';
  if (uri.includes('*')) return 'A redirect URI is compared exactly, so it must not have a wildcard (*).';
  if (!characters.test(uri) || !URL.canParse(uri)) {
    return 'A redirect URI must be an absolute address, with other characters percent-encoded.';
  }
  const { protocol, hostname, username, password } = new URL(uri);
  const local = protocol === 'http:' && hostname === 'localhost';
  if (protocol !== 'https:' && !local)
    return 'A redirect URI must begin with https://, or with http://localhost.';
  if (!/^https?:\/\/[^/]/.test(uri))
    return 'A redirect URI must begin with https://, or with http://localhost.';
  if (username !== '' || password !== '' || /^https?:\/\/[^/?]*@/.test(uri)) {
    return 'A redirect URI must not have a user name or password.';
  }
  return undefined;
}
