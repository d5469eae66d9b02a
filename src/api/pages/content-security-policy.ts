/**
 * What a page of ours may load, and where its forms may lead: our own style sheet, script and addresses, and nothing
 * inline. A form that leads to a site ends at a redirect page (redirects.ts).
 */
export function contentSecurityPolicy({
  script,
  live = false,
  frames = false,
  imagesFrom,
}: {
  readonly script: boolean;
  /** A script of the page asks us how far something is. */
  readonly live?: boolean;
  readonly frames?: boolean;
  /** A server that images may come from besides our own: the tiles of a map. */
  readonly imagesFrom?: string;
}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self'${imagesFrom === undefined ? '' : ` ${imagesFrom}`}`,
    ...(script ? ["script-src 'self'"] : []),
    ...(live ? ["connect-src 'self'"] : []),
    ...(frames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
