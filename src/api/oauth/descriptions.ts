import { z } from 'zod';
import { signInScopes } from '../../events/oauth/values.ts';
import { responseModes } from './authorization-request.ts';

/**
 * The text of the reference page about the endpoints. Nothing here checks a request: each endpoint does that, in the
 * order and with the errors of its RFC.
 */
const tags = ['Sign-in'];
const form = ['application/x-www-form-urlencoded'];
const words = (rest: string) => z.string().describe(rest);

const oauthError = z.object({
  error: words('A code listed at /docs/errors.'),
  error_description: words('Which rule failed.'),
});

const errors = (...statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: meanings[status] ?? '', content: { 'application/json': { schema: oauthError } } },
    ]),
  );

const meanings: Readonly<Record<number, string>> = {
  303: 'Back to the redirect_uri with code, state and iss, or with error, error_description, state and iss; or to a page of ours.',
  400: 'The request is refused; error says how, error_description why.',
  401: 'The token is missing or not good, or the client tried to authenticate; see WWW-Authenticate.',
  403: 'The token lacks the scope openid.',
  429: 'Too many invalid tokens from this network.',
  503: 'Try again after Retry-After seconds.',
};

const redirects = { 303: z.undefined().describe(meanings[303] ?? '') };

export const authorizeShape = {
  tags,
  summary: 'Authorize',
  description:
    'Sends the browser to sign in and to consent where that is needed, and back with a code. Also as POST, which answers 303 to this form. A bad client_id or redirect_uri stays on a page of ours.',
  querystring: z.object({
    client_id: words('`site_` and letters or digits.'),
    redirect_uri: words('Registered for the client, character by character.'),
    response_type: z.literal('code'),
    scope: words(
      `Divided by spaces; openid, and any of ${signInScopes.slice(1).join(', ')} that the client may have.`,
    ),
    state: words('Comes back as it is.'),
    code_challenge: words('BASE64URL(SHA256(code_verifier)), 43 characters.'),
    code_challenge_method: z.literal('S256'),
    nonce: words('Comes back in the id_token.').optional(),
    prompt: words('none, or any of login, consent, select_account.').optional(),
    max_age: words('Seconds since the person may have signed in.').optional(),
    login_hint: words('The email address that the sign-in page shows first.').optional(),
    id_token_hint: words('An id_token of the person who is expected.').optional(),
    response_mode: words(
      `${responseModes.join(' or ')}: with form_post a page of ours posts the answer to the redirect_uri.`,
    ).optional(),
  }),
  response: { ...redirects, ...errors(400, 503) },
};

export const resumeShape = { hide: true };

export const tokenShape = {
  tags,
  summary: 'Exchange a code, or refresh',
  description:
    'grant_type=authorization_code with code, redirect_uri and code_verifier; or grant_type=refresh_token with refresh_token and, to narrow it, scope. Clients are public: client_id, and no secret.',
  consumes: form,
  body: z.object({
    grant_type: z.enum(['authorization_code', 'refresh_token']),
    client_id: z.string(),
    code: z.string().optional(),
    redirect_uri: words('As in the authorization request.').optional(),
    code_verifier: words('43 to 128 characters.').optional(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
  }),
  response: {
    200: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int().describe('Seconds.'),
      refresh_token: words('Another with every refresh.'),
      id_token: words('A JWT signed with RS256.'),
      scope: z.string(),
    }),
    ...errors(400, 401, 429, 503),
  },
};

export const userinfoShape = {
  tags,
  summary: 'Claims of the person',
  description: 'What the scopes of the access token tell. The token also as access_token in a POST form.',
  security: [{ accessToken: [] }],
  response: {
    200: z.object({
      sub: z.string(),
      name: z.string().optional(),
      preferred_username: z.string().optional(),
      picture: z.string().optional(),
      updated_at: z.int().optional(),
      email: z.string().optional(),
      email_verified: z.boolean().optional(),
      phone_number: z.string().optional(),
      phone_number_verified: z.boolean().optional(),
      teams: z.array(z.object({ team: z.string(), name: z.string(), role: z.string() })).optional(),
    }),
    ...errors(400, 401, 403, 429, 503),
  },
};

export const jwksShape = {
  tags,
  summary: 'Keys that sign id_tokens',
  response: { 200: z.object({ keys: z.array(z.record(z.string(), z.string())) }), ...errors(503) },
};

export const discoveryShape = {
  tags,
  summary: 'What this provider is and can do',
  response: { 200: z.record(z.string(), z.unknown()) },
};

export const revokeShape = {
  tags,
  summary: 'Revoke a token',
  description:
    'An access token alone, a refresh token with all that came of it. After the answer nobody is served with it.',
  consumes: form,
  body: z.object({
    token: z.string(),
    token_type_hint: words('Not needed.').optional(),
    client_id: z.string(),
  }),
  response: { 200: z.object({}).describe('It is good no more, or never was.'), ...errors(400, 401, 503) },
};

export const logoutShape = {
  tags,
  summary: 'Sign out',
  description:
    'Ends the session at this browser, after a question unless id_token_hint names who is signed in.',
  querystring: z.object({
    id_token_hint: z.string().optional(),
    client_id: z.string().optional(),
    post_logout_redirect_uri: words('Registered for the client, character by character.').optional(),
    state: z.string().optional(),
  }),
  response: { ...redirects, ...errors(400, 503) },
};
