/** The cookie that holds a session's token. */
export interface SessionCookie {
  readonly name: string;
  /** The token in a Cookie header; undefined when there is none. */
  read(header: string | undefined): string | undefined;
  /** The Set-Cookie header that hands a token to the browser; `seconds`: how long it keeps it. */
  set(token: string, seconds: number): string;
  /** The Set-Cookie header that takes it away. */
  clear(): string;
}

/**
 * Bound to our very host by the prefix `__Host-` (RFC 6265bis section 4.1.3.2), which needs https; on plain http,
 * for development on localhost, it goes without. Lax: it comes along when a site sends the browser to us, and
 * never with another site's form or frame.
 */
export function sessionCookie(issuer: string): SessionCookie {
  const secure = issuer.startsWith('https:');
  const name = secure ? '__Host-commonweal' : 'commonweal';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    name,
    read: (header) => (header === undefined ? undefined : valueOf(name, header)),
    set: (token, seconds) => `${name}=${token}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

function valueOf(name: string, header: string): string | undefined {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}
