import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConcurrencyConflict } from '../../ground/refusals.ts';
import { OAuthRefused, oauthErrors, type OAuthErrorCode } from '../../commands/oauth/errors.ts';
import { NoDataKey } from '../../personal/personal-data.ts';
import { problemAndLog } from '../http/responses/error-answers.ts';
import type { Catalogue, Headers } from '../http/responses/problem.ts';

/** All codes of the sign-in provider, with meaning and advice, for the reference page. */
export const oauthErrorKinds = {
  invalid_request: {
    status: oauthErrors.invalid_request,
    title: 'The request is wrong',
    means:
      'A parameter is missing, malformed or repeated, the redirect_uri is none, or PKCE is missing. The description names the rule.',
  },
  invalid_client: {
    status: oauthErrors.invalid_client,
    title: 'The client is not known',
    means:
      'No active client has this client_id, the redirect_uri is not registered for it, or it tried to authenticate: clients here are public.',
  },
  invalid_grant: {
    status: oauthErrors.invalid_grant,
    title: 'The code or refresh token is not valid',
    means:
      'It has expired, was used, was revoked or is another client’s, or the code_verifier does not match. Send the person to sign in again.',
  },
  invalid_scope: {
    status: oauthErrors.invalid_scope,
    title: 'The scope is not allowed',
    means: 'The scope lacks openid, or names one that this client may not ask for.',
  },
  unsupported_grant_type: {
    status: oauthErrors.unsupported_grant_type,
    title: 'The grant type is not supported',
    means: 'The grant_type is authorization_code or refresh_token.',
  },
  unsupported_response_type: {
    status: oauthErrors.unsupported_response_type,
    title: 'The response type is not supported',
    means: 'The response_type is code.',
  },
  access_denied: {
    status: oauthErrors.access_denied,
    title: 'The person did not allow it',
    means: 'They pressed Deny. Ask again only when they want to.',
  },
  login_required: {
    status: oauthErrors.login_required,
    title: 'Somebody has to sign in',
    means:
      'The request says prompt=none, and the person it needs is not signed in. Repeat the request without prompt=none.',
  },
  consent_required: {
    status: oauthErrors.consent_required,
    title: 'The person has to consent',
    means:
      'The request says prompt=none, and the person has not consented to these scopes. Repeat the request without prompt=none.',
  },
  request_not_supported: {
    status: oauthErrors.request_not_supported,
    title: 'Request objects are not supported',
    means: 'Send plain parameters instead of request.',
  },
  request_uri_not_supported: {
    status: oauthErrors.request_uri_not_supported,
    title: 'Request objects are not supported',
    means: 'Send plain parameters instead of request_uri.',
  },
  invalid_token: {
    status: oauthErrors.invalid_token,
    title: 'The access token is not valid',
    means:
      'It was not issued here, has expired or was revoked. Refresh it, or send the person to sign in again.',
  },
  insufficient_scope: {
    status: oauthErrors.insufficient_scope,
    title: 'The access token lacks a scope',
    means: 'The WWW-Authenticate header names the scope.',
  },
  temporarily_unavailable: {
    status: oauthErrors.temporarily_unavailable,
    title: 'Unavailable for the moment',
    means:
      'A store is away or busy, the same grant is being changed by others, the service is starting, or, with status 429, the person has signed in at this site or been refreshed too often. Keep the refresh token, and repeat the request after Retry-After seconds.',
  },
  server_error: {
    status: oauthErrors.server_error,
    title: 'Internal error',
    means: 'A fault of ours. It has been logged under the X-Request-Id of the answer.',
  },
} as const satisfies Catalogue & Partial<Record<OAuthErrorCode, unknown>>;

/** An error of an endpoint: a code, its status here, and additional headers. */
export class OAuthProblem extends Error {
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly headers: Headers;

  constructor(code: OAuthErrorCode, message: string, extra: { status?: number; headers?: Headers } = {}) {
    super(message);
    this.name = 'OAuthProblem';
    this.code = code;
    this.status = extra.status ?? oauthErrors[code];
    this.headers = extra.headers ?? {};
  }
}

/** The answer to any thrown value. A fault of the service is logged, and shows no details. */
export function oauthProblemOf(error: unknown, request: FastifyRequest): OAuthProblem {
  if (error instanceof OAuthProblem) return error;
  if (error instanceof OAuthRefused) return ofRefusal(error);
  if (error instanceof NoDataKey) return new OAuthProblem('invalid_grant', 'This account is erased.');
  const { status, message, headers } = problemAndLog(error, request);
  if (status === 503 || error instanceof ConcurrencyConflict)
    return new OAuthProblem('temporarily_unavailable', message, { headers });
  if (status >= 500) return new OAuthProblem('server_error', message);
  // Other errors in the request are 400 (RFC 6749 section 5.2).
  const kept = status === 405 || status === 413 ? status : 400;
  return new OAuthProblem('invalid_request', message, { status: kept, headers });
}

/** A limit is answered with 429 (RFC 6585 section 4), so that a client keeps what it has and repeats the request. */
function ofRefusal({ code, message, retryAfterSeconds }: OAuthRefused): OAuthProblem {
  if (retryAfterSeconds === undefined) return new OAuthProblem(code, message);
  return new OAuthProblem(code, message, {
    status: 429,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}

/** RFC 6749 section 5.2. */
export function sendOAuthProblem(
  { code, message, status, headers }: OAuthProblem,
  reply: FastifyReply,
): FastifyReply {
  return reply
    .code(status)
    .headers({ ...uncached, ...headers })
    .send(JSON.stringify({ error: code, error_description: describable(message) }));
}

/** For answers with a token, or an error about one (RFC 6749 section 5.1). */
export const uncached = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  pragma: 'no-cache',
} as const;

/** A sentence for a person: without the section number in parentheses. */
export const withoutRule = (sentence: string): string =>
  sentence.replace(/ \([^()]*\b(?:RFC|section|appendix)\b[^()]*\)/g, '');

/** What changes to make, by the parameter that a refusal names. What is not listed is told by the sentence itself. */
const changes: Readonly<Record<string, string>> = {
  client_id: 'Send the client_id that the page of the site shows.',
  redirect_uri:
    'Send a redirect URI that is registered for the site, character by character, or register this one.',
  response_type: 'Send response_type=code.',
  response_mode: 'Send response_mode=query or form_post, or leave it out.',
  scope: 'Send scope=openid, and with it scopes that the site may ask for, divided by spaces.',
  state: 'Send a state that the site makes at random for each sign-in.',
  code_challenge_method: 'Send code_challenge_method=S256.',
  code_challenge: 'Turn on PKCE with S256: it sends code_challenge and code_challenge_method.',
  code_verifier: 'Send the code_verifier of which the code_challenge of this sign-in was made.',
  client_secret: 'Send no secret: choose a public client, in OAuth token_endpoint_auth_method none.',
  id_token_hint: 'Send an id_token that was issued to this site of late, or leave it out.',
  request_uri: 'Leave request_uri out, and send plain parameters.',
  nonce: 'Send a shorter nonce.',
  prompt: 'Send prompt as none, or as any of login, consent and select_account.',
  max_age: 'Send max_age as a whole number of seconds, or leave it out.',
};

/** Of a refusal, the parameter that it is about, and what the people who build the site change. */
export function whatToChange({ message }: { readonly message: string }): {
  readonly parameter: string | undefined;
  readonly change: string;
} {
  if (message === 'This site is inactive.')
    return { parameter: undefined, change: 'Reactivate it on its page.' };
  // What stands in parentheses is the rule.
  const sentence = withoutRule(message).replace(/redirect URI/g, 'redirect_uri');
  const parameter = /^Clients are public/.test(sentence)
    ? 'client_secret'
    : (sentence.match(/[a-z_]+/g) ?? []).find((word) => Object.hasOwn(changes, word));
  return { parameter, change: (parameter === undefined ? undefined : changes[parameter]) ?? '' };
}

/** In the characters that an error_description may have (RFC 6749 section 5.2). */
export const describable = (sentence: string): string =>
  sentence
    .replace(/[’‘]/g, "'")
    .replace(/["“”\\]/g, "'")
    .replace(/[^\x20-\x7e]/g, '?');
