/** What a URI may consist of (RFC 3986 section 2), the fragment's `#` and the wildcard's `*` left out. */
const characters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;

/**
 * Why a URI can be nobody's redirect URI, as a sentence; undefined when it can. It is https, or http on
 * localhost for development (interface 2.4), without fragment (RFC 6749 section 3.1.2), user information or
 * wildcard, and is compared character by character (RFC 9700 section 4.1.3).
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > 2_000) return 'A redirect URI has at most 2,000 characters.';
  if (uri.includes('#')) return 'A redirect URI has no fragment (RFC 6749 section 3.1.2).';
  if (uri.includes('*'))
    return 'A redirect URI is matched exactly and has no wildcard (RFC 9700 section 4.1.3).';
  if (!characters.test(uri) || !URL.canParse(uri)) {
    return 'A redirect URI is an absolute URI, other characters percent-encoded (RFC 3986 section 4.3).';
  }
  const { protocol, hostname, username, password } = new URL(uri);
  const local = protocol === 'http:' && hostname === 'localhost';
  if (protocol !== 'https:' && !local)
    return 'A redirect URI begins with https://, or with http://localhost.';
  if (!/^https?:\/\/[^/]/.test(uri)) return 'A redirect URI begins with https://, or with http://localhost.';
  if (username !== '' || password !== '' || /^https?:\/\/[^/?]*@/.test(uri)) {
    return 'A redirect URI has no user information (RFC 3986 section 3.2.1).';
  }
  return undefined;
}
