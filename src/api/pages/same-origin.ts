import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether something was posted by a page of ours. Browsers say where a request comes from (Fetch Metadata
 * section 2.3; Fetch section 3.2). As our pages send no referrer, their Origin is `null` where a browser says
 * nothing else, which anybody's can be: then the form's token alone decides, as it does for who is no browser.
 */
export function isFromOurPages(headers: IncomingHttpHeaders, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === issuer;
}
