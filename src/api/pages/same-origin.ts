import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was posted by a page of ours. Browsers tell the origin of a request (Fetch Metadata section 2.3;
 * Fetch section 3.2). Our pages send no referrer, so a browser without Fetch Metadata sends `Origin: null`, which any
 * page can cause. Then the form token alone decides, and so it does for clients that are not browsers.
 */
export function isFromOurPages(headers: IncomingHttpHeaders, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || origin === 'null' || origin === issuer;
}
