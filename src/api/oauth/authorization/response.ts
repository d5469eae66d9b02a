import type { ReturnAddress } from './request.ts';
import { describable, type OAuthProblem } from '../errors.ts';

/** Where a code goes (RFC 6749 section 4.1.2), with the name of who gives it (RFC 9207 section 2). */
export const codeLocation = (address: ReturnAddress, issuer: string, code: string): string =>
  locationOf(address.redirectUri, [
    ['code', code],
    ['state', address.state],
    ['iss', issuer],
  ]);

/** Where an error goes (RFC 6749 section 4.1.2.1, RFC 9207 section 2). */
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

/** A registered URI keeps the query that it has (RFC 6749 section 3.1.2). */
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

/** What no percent-encoding can say comes back as what readers show for it. */
const encoded = (value: string): string => encodeURIComponent(value.toWellFormed());
