import type { ClientSnapshot } from '../../events/oauth/client.ts';
import { signInScopes, type SignInScope } from '../../events/oauth/values.ts';
import { OAuthRefused } from './errors.ts';
import { redirectUriProblem } from '../../events/oauth/redirect-uri.ts';

/** A client, from its stream or its read model: the fields that the rules for a request look at. */
export type RegisteredClient = Pick<
  ClientSnapshot,
  'client' | 'redirect_uris' | 'scopes' | 'status' | 'activation'
>;

/**
 * The client, if it exists and is active (interface 7.1; RFC 6749 section 5.2).
 * @throws OAuthRefused invalid_client
 */
export function requireClient<Client extends Pick<RegisteredClient, 'status'>>(
  client: Client | undefined,
): Client {
  if (!client)
    throw new OAuthRefused('invalid_client', 'No client has this client_id (RFC 6749 section 2.2).');
  if (client.status === 'inactive') {
    throw new OAuthRefused('invalid_client', 'This site is inactive.');
  }
  return client;
}

/**
 * Accepts a redirect URI that the client has registered, compared character by character (RFC 6749 section 3.1.2.3).
 * @throws OAuthRefused invalid_request (not allowed for any client), invalid_client (not registered for this one)
 */
export function requireRedirectUri(client: Pick<RegisteredClient, 'redirect_uris'>, uri: string): void {
  if (client.redirect_uris.includes(uri)) return;
  const problem = redirectUriProblem(uri);
  if (problem !== undefined) throw new OAuthRefused('invalid_request', problem);
  throw new OAuthRefused(
    'invalid_client',
    'The redirect_uri is not registered for this client, character by character (RFC 6749 section 3.1.2.3).',
  );
}

/**
 * The scopes of a `scope` parameter, each once, in the order of the interface.
 * @throws OAuthRefused invalid_scope without openid (interface 2.6), or for a scope that this client may not request
 */
export function requestedScopes(client: Pick<RegisteredClient, 'scopes'>, scope: string): SignInScope[] {
  const requested = wordsOf(scope);
  if (!requested.has('openid')) {
    throw new OAuthRefused(
      'invalid_scope',
      'The scope must include openid (OpenID Connect Core section 3.1.2.1).',
    );
  }
  return permitted(requested, allowedScopes(client), 'is not allowed for this client (RFC 6749 section 3.3)');
}

/**
 * The scopes that a refresh requests: the granted ones or fewer.
 * @throws OAuthRefused invalid_scope
 */
export function narrowedScopes(granted: readonly SignInScope[], scope: string): SignInScope[] {
  const requested = wordsOf(scope);
  if (requested.size === 0) {
    throw new OAuthRefused('invalid_scope', 'The scope names nothing (RFC 6749 section 3.3).');
  }
  return permitted(requested, granted, 'was not granted; a refresh may only narrow (RFC 6749 section 6)');
}

/**
 * The scopes that a client may request. Every client may request offline_access: a refresh token is always returned.
 */
export const allowedScopes = (client: Pick<RegisteredClient, 'scopes'>): readonly SignInScope[] =>
  client.scopes.includes('offline_access') ? client.scopes : [...client.scopes, 'offline_access'];

/** RFC 6749 section 3.3: words divided by single spaces. Additional spaces are accepted. */
const wordsOf = (scope: string): Set<string> => new Set(scope.split(' ').filter((word) => word !== ''));

function permitted(
  requested: ReadonlySet<string>,
  allowed: readonly SignInScope[],
  why: string,
): SignInScope[] {
  for (const scope of requested) {
    if (!(allowed as readonly string[]).includes(scope)) {
      throw new OAuthRefused('invalid_scope', `The scope ${printable(scope)} ${why}.`);
    }
  }
  return signInScopes.filter((scope) => requested.has(scope));
}

/** In the characters that an error_description allows (RFC 6749 section 5.2), and shortened. */
const printable = (word: string): string => word.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 40);
