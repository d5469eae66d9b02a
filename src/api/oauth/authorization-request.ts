import { requestedScopes, requireClient, requireRedirectUri } from '../../commands/oauth/authorization.ts';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import type { ClientSnapshot } from '../../events/oauth/client.ts';
import type { SignInScope } from '../../events/oauth/values.ts';
import { cspSourceOf } from '../pages/content-security-policy.ts';
import { readParameters, required, soundValues, type Parameters } from './parameters.ts';

/** RFC 6749 section 4.1.1, RFC 7636 section 4.3, OpenID Connect Core section 3.1.2.1. Others are ignored. */
const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'request',
  'request_uri',
] as const;

export type AuthorizationParameter = (typeof names)[number];
export type AuthorizationParameters = Parameters<AuthorizationParameter>;
type Values = AuthorizationParameters['values'];

export const prompts = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof prompts)[number];

/**
 * How an answer comes to the site (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1, OAuth 2.0 Form Post
 * Response Mode section 2).
 */
export const responseModes = ['query', 'form_post'] as const;
type ResponseMode = (typeof responseModes)[number];

export type LoadClient = (clientId: string) => Promise<ClientSnapshot | undefined>;

/** Where every answer is sent, errors too. */
export interface ReturnAddress {
  readonly client: ClientSnapshot;
  readonly redirectUri: string;
  /** Errors of a request whose mode cannot be are sent in the query. */
  readonly mode: ResponseMode;
  /** Sent back unchanged. */
  readonly state: string | undefined;
}

/** A valid request. */
export interface AuthorizationRequest extends ReturnAddress {
  readonly state: string;
  readonly scopes: readonly SignInScope[];
  readonly codeChallenge: string;
  readonly nonce: string | undefined;
  readonly prompts: ReadonlySet<Prompt>;
  /** Seconds. */
  readonly maxAge: number | undefined;
  /** Shown in the sign-in form. */
  readonly loginHint: string | undefined;
  readonly idTokenHint: string | undefined;
}

/**
 * The request travels sealed in the addresses of our pages, which makes it longer. Node reads at most 16 KiB of
 * address and headers.
 */
const longestQuery = 8_000;
/** Stored with the code until it is exchanged. */
const longestNonce = 512;

const parameterNames: ReadonlySet<AuthorizationParameter> = new Set(names);

/** @throws OAuthRefused invalid_request for a query that is too long */
export function readAuthorization(query: string): AuthorizationParameters {
  if (query.length <= longestQuery) return readParameters(query, parameterNames);
  throw new OAuthRefused('invalid_request', `The request has more than ${longestQuery} characters.`);
}

/**
 * The address for the answer. While it is not verified, errors are shown on our page (RFC 6749 section 4.1.2.1,
 * RFC 9700 section 4.11).
 * @throws OAuthRefused invalid_request, invalid_client; to be shown, never redirected
 */
export async function returnAddressOf(
  { values, refused }: AuthorizationParameters,
  loadClient: LoadClient,
): Promise<ReturnAddress> {
  for (const name of ['client_id', 'redirect_uri'] as const) {
    const sentence = refused?.get(name);
    if (sentence !== undefined) throw new OAuthRefused('invalid_request', sentence);
  }
  const clientId = required(values, 'client_id', 'RFC 6749 section 4.1.1');
  const redirectUri = required(values, 'redirect_uri', 'it is always required here');
  const client = requireClient(isClientId(clientId) ? await loadClient(clientId) : undefined);
  requireRedirectUri(client, redirectUri);
  const byForm = values.response_mode === 'form_post' && formPostProblem(values, redirectUri) === undefined;
  return { client, redirectUri, mode: byForm ? 'form_post' : 'query', state: values.state };
}

/** Checks the rest of the request. @throws OAuthRefused, which is sent to the client */
export function authorizationRequestOf(
  parameters: AuthorizationParameters,
  address: ReturnAddress,
): AuthorizationRequest {
  const values = soundValues(parameters);
  // OpenID Connect Core section 6: a provider that does not support them answers with these codes.
  if (values.request !== undefined) {
    throw new OAuthRefused(
      'request_not_supported',
      'There are no request objects here; send plain parameters.',
    );
  }
  if (values.request_uri !== undefined) {
    throw new OAuthRefused(
      'request_uri_not_supported',
      'There is no request_uri here; send plain parameters.',
    );
  }
  requireCodeFlow(values, address);
  const state = required(values, 'state', 'it is always required here');
  return {
    ...address,
    state,
    scopes: requestedScopes(address.client, required(values, 'scope', 'OpenID Connect Core section 3.1.2.1')),
    codeChallenge: codeChallengeOf(values),
    nonce: nonceOf(values),
    prompts: promptsOf(values),
    maxAge: maxAgeOf(values),
    loginHint: values.login_hint,
    idTokenHint: values.id_token_hint,
  };
}

/** The whole request, for a page that shows which site it is from. @throws OAuthRefused */
export async function authorizationRequestIn(
  query: string,
  loadClient: LoadClient,
): Promise<AuthorizationRequest> {
  const parameters = readAuthorization(query);
  return authorizationRequestOf(parameters, await returnAddressOf(parameters, loadClient));
}

/** Whether a text can be a client_id. For others no stream is read. */
export const isClientId = (text: string): boolean => /^site_[0-9A-Za-z]{8,64}$/.test(text);

/** RFC 6749 section 3.1.1; OAuth 2.0 Multiple Response Type Encoding Practices section 2.1. */
function requireCodeFlow(values: Values, { redirectUri }: ReturnAddress): void {
  if (required(values, 'response_type', 'RFC 6749 section 3.1.1') !== 'code') {
    throw new OAuthRefused(
      'unsupported_response_type',
      'The response_type is code (RFC 6749 section 4.1.1).',
    );
  }
  const { response_mode: mode } = values;
  if (mode === undefined || mode === 'query') return;
  if (mode !== 'form_post') {
    throw new OAuthRefused(
      'invalid_request',
      'The response_mode is query or form_post (OAuth 2.0 Multiple Response Types section 2.1).',
    );
  }
  const problem = formPostProblem(values, redirectUri);
  if (problem !== undefined) throw new OAuthRefused('invalid_request', problem);
}

/** Why the answer cannot be a form. */
function formPostProblem({ state = '' }: Values, redirectUri: string): string | undefined {
  // A browser writes every line break of a field as CR LF, and HTML has no U+0000.
  if (/[\0\r\n]/.test(state))
    return 'A state has no line breaks where the answer is a form, which would change them.';
  return cspSourceOf(redirectUri) === undefined
    ? 'The response_mode form_post needs a redirect_uri whose host is a name or an IPv4 address.'
    : undefined;
}

/** RFC 7636 section 4.4.1: required, and plain is none (RFC 9700 section 2.1.1). */
function codeChallengeOf(values: Values): string {
  const challenge = required(values, 'code_challenge', 'PKCE is required: RFC 7636 section 4.4.1');
  const method = required(
    values,
    'code_challenge_method',
    'RFC 7636 section 4.3: without it, it would be plain',
  );
  if (method !== 'S256') {
    throw new OAuthRefused('invalid_request', 'The code_challenge_method is S256 (RFC 9700 section 2.1.1).');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthRefused(
      'invalid_request',
      'The code_challenge is a SHA-256 in base64url without padding: 43 characters (RFC 7636 section 4.2).',
    );
  }
  return challenge;
}

function nonceOf({ nonce }: Values): string | undefined {
  if (nonce === undefined || (nonce.length <= longestNonce && nonce.isWellFormed())) return nonce;
  throw new OAuthRefused('invalid_request', `A nonce has at most ${longestNonce} characters.`);
}

function promptsOf({ prompt = '' }: Values): Set<Prompt> {
  const words = new Set(prompt.split(' ').filter((word) => word !== ''));
  for (const word of words) {
    if (!(prompts as readonly string[]).includes(word)) {
      throw new OAuthRefused(
        'invalid_request',
        `The prompt is ${prompts.join(', ')} (OpenID Connect Core section 3.1.2.1).`,
      );
    }
  }
  if (words.has('none') && words.size > 1) {
    throw new OAuthRefused(
      'invalid_request',
      'The prompt none goes with no other (OpenID Connect Core section 3.1.2.1).',
    );
  }
  return words as Set<Prompt>;
}

function maxAgeOf({ max_age }: Values): number | undefined {
  if (max_age === undefined) return undefined;
  if (/^\d{1,10}$/.test(max_age)) return Number(max_age);
  throw new OAuthRefused(
    'invalid_request',
    'The max_age is a whole number of seconds (OpenID Connect Core section 3.1.2.1).',
  );
}
