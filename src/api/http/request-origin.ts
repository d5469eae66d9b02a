import type { IncomingHttpHeaders } from 'node:http';

/** Where a browser says that a request comes from: Origin, else Referer. */
export const originOf = (headers: IncomingHttpHeaders): string | undefined =>
  headers.origin ?? headers.referer;

/**
 * Whether a key that is restricted to domains may be used from an origin. A listed `example.org` admits itself
 * alone, `*.example.org` its subdomains alone.
 */
export function allowsOrigin(domains: readonly string[], origin: string): boolean {
  const host = hostOf(origin);
  if (host === undefined) return false;
  return domains.some((domain) =>
    domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain,
  );
}

function hostOf(origin: string): string | undefined {
  if (!URL.canParse(origin)) return undefined;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' || protocol === 'https:' ? hostname : undefined;
}
