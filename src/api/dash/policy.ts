/**
 * What a page of ours may load and where its forms may lead: our own style sheet and script and nothing inline.
 * Chromium holds a form to `form-action` through every redirect that its answer leads to, so a page on the way
 * to a site names that site's origin.
 */
export function dashPolicy({
  script,
  formTo,
}: {
  readonly script: boolean;
  readonly formTo: string | undefined;
}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(script ? ["script-src 'self'"] : []),
    "base-uri 'none'",
    `form-action 'self'${formTo === undefined ? '' : ` ${formTo}`}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
