/*
 * What revokes a token: the site itself, here; its person, who withdraws consent (consent.ts), sets a new password
 * (../accounts/user.ts) or is erased; a code or a refresh token that comes twice (grant.ts); and whoever deactivates the site
 * (client.ts). Whether a token still holds is decided in src/projections/oauth-access-token-validity.ts.
 */
import type { CommandContext } from '../../events/metadata.ts';
import { execute, type Outcome } from '../command-handler.ts';
import { grant, type GrantCommand, type GrantState } from './grant.ts';
import type { Token } from './token-format.ts';
import type { TokenParts } from './tokens.ts';

/**
 * Revokes a token for its client: an access token alone, a refresh token with its whole grant. Undefined for a text
 * that is no token of ours, which needs no revocation (RFC 7009 section 2.2).
 * @throws OAuthRefused invalid_grant for another client's token
 */
export async function revokeToken(
  { store, tokenKeys }: Pick<TokenParts, 'store' | 'tokenKeys'>,
  { token: text, clientId }: { readonly token: string; readonly clientId: string },
  context: CommandContext,
): Promise<Outcome<GrantState> | undefined> {
  const token = await tokenKeys.read(text);
  if (!token || token.kind === 'code') return undefined;
  const command = revocationOf(token, clientId, context.at);
  return execute(store, grant, token.grantId, command, context, { newestOnly: true });
}

const revocationOf = (token: Token, client: string, at: Date): GrantCommand =>
  token.kind === 'access'
    ? { kind: 'revoke-token', client, generation: token.generation, at }
    : { kind: 'revoke', client, reason: 'The client revoked its refresh token.' };
