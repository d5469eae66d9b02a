import type { IncomingHttpHeaders } from 'node:http';

/** The origin of a request, from Origin or else Referer. */
export const originOf = (headers: IncomingHttpHeaders): string | undefined =>
  headers.origin ?? headers.referer;

/**
 * Whether a key that is restricted to domains may be used from an origin. `example.org` allows that host only,
 * `*.example.org` its subdomains only.
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
