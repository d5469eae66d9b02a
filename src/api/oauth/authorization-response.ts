import type { ReturnAddress } from './authorization-request.ts';
import { describable, type OAuthProblem } from './errors.ts';

/** The redirect with a code (RFC 6749 section 4.1.2) and the issuer (RFC 9207 section 2). */
export const codeLocation = (address: ReturnAddress, issuer: string, code: string): string =>
  locationOf(address.redirectUri, [
    ['code', code],
    ['state', address.state],
    ['iss', issuer],
  ]);

/** The redirect with an error (RFC 6749 section 4.1.2.1, RFC 9207 section 2). */
export const errorLocation = (
  address: ReturnAddress,
  issuer: string,
  { code, message }: Pick<OAuthProblem, 'code' | 'message'>,
): string =>
  locationOf(address.redirectUri, [
    ['error', code],
    ['error_description', describable(message)],
    ['state', address.state],
    ['iss', issuer],
  ]);

/** A registered URI keeps its own query (RFC 6749 section 3.1.2). */
export function locationOf(
  uri: string,
  parameters: readonly (readonly [name: string, value: string | undefined])[],
): string {
  const query = parameters
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encoded(value)}`]))
    .join('&');
  if (query === '') return uri;
  if (!uri.includes('?')) return `${uri}?${query}`;
  return /[?&]$/.test(uri) ? uri + query : `${uri}&${query}`;
}

/** A lone surrogate cannot be percent-encoded. It becomes U+FFFD. */
const encoded = (value: string): string => encodeURIComponent(value.toWellFormed());
