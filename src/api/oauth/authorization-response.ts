import type { FastifyReply } from 'fastify';
import { shownSiteName } from '../pages/parts/named-site.ts';
import { sendFormPage, sendRedirectPage, sendSeeOther } from '../pages/redirects.ts';
import type { ReturnAddress } from './authorization-request.ts';
import { describable, type OAuthProblem } from './errors.ts';

type Answer = readonly (readonly [name: string, value: string | undefined])[];

/** A code (RFC 6749 section 4.1.2) and the issuer (RFC 9207 section 2). */
export const codeAnswer = ({ state }: ReturnAddress, issuer: string, code: string): Answer => [
  ['code', code],
  ['state', state],
  ['iss', issuer],
];

/** An error (RFC 6749 section 4.1.2.1, RFC 9207 section 2). */
export const errorAnswer = (
  { state }: ReturnAddress,
  issuer: string,
  { code, message }: Pick<OAuthProblem, 'code' | 'message'>,
): Answer => [
  ['error', code],
  ['error_description', describable(message)],
  ['state', state],
  ['iss', issuer],
];

/** Sends a browser to the site with the answer, in the requested mode. `resumed`: it comes from a form of ours. */
export function sendAnswer(
  reply: FastifyReply,
  { client, redirectUri, mode }: ReturnAddress,
  answer: Answer,
  resumed: boolean,
): FastifyReply {
  const site = shownSiteName(client);
  if (mode === 'form_post') return sendFormPage(reply, { to: redirectUri, site, fields: answer });
  const to = locationOf(redirectUri, answer);
  return resumed ? sendRedirectPage(reply, { to, site }) : sendSeeOther(reply, to);
}

/** A registered URI keeps its own query (RFC 6749 section 3.1.2). */
export function locationOf(uri: string, parameters: Answer): string {
  const query = parameters
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encoded(value)}`]))
    .join('&');
  if (query === '') return uri;
  if (!uri.includes('?')) return `${uri}?${query}`;
  return /[?&]$/.test(uri) ? uri + query : `${uri}&${query}`;
}

/** A lone surrogate cannot be percent-encoded. It becomes U+FFFD. */
const encoded = (value: string): string => encodeURIComponent(value.toWellFormed());
