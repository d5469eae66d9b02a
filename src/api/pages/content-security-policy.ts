/**
 * What a page of ours may load, and where its forms may lead: our own style sheet, script and addresses, and nothing
 * inline. A form that leads to a site ends at a redirect page (redirects.ts).
 */
export function contentSecurityPolicy({
  script,
  live = false,
  frames = false,
  imagesFrom,
  formsTo = "'self'",
}: {
  readonly script: boolean;
  /** A script of the page asks us how far something is. */
  readonly live?: boolean;
  readonly frames?: boolean;
  /** A server that images may come from besides our own: the tiles of a map. */
  readonly imagesFrom?: string;
  /** Where forms lead, if not to us: a source expression. */
  readonly formsTo?: string;
}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self'${imagesFrom === undefined ? '' : ` ${imagesFrom}`}`,
    ...(script ? ["script-src 'self'"] : []),
    ...(live ? ["connect-src 'self'"] : []),
    ...(frames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${formsTo}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The source expression of exactly this address (CSP Level 3 section 2.3.1). It has no query: browsers ignore one there and
 * compare without it. Undefined for a host that no expression can name, such as an IPv6 address.
 */
export function cspSourceOf(address: string): string | undefined {
  const { protocol, host, hostname, pathname } = new URL(address);
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(hostname)) return undefined;
  return `${protocol}//${host}${pathname.replace(/[;,]/g, encodeURIComponent)}`;
}
