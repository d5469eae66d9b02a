/**
 * What a page of ours may load and where its forms may lead: our own style sheet and script and nothing inline, and
 * our own addresses. Whoever goes on to a site does so by a page that moves on (oauth/leaving.ts).
 */
export function contentSecurityPolicy({ script }: { readonly script: boolean }): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(script ? ["script-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
