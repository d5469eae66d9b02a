import type { FastifyInstance } from 'fastify';
import type { TokenParts } from '../commands/oauth/tokens.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { Config } from '../config.ts';
import { addressOf, type ServerDependencies } from './dependencies.ts';
import type { Gate } from './http/ready-gate.ts';
import type { Interaction } from './pages/interaction.ts';

/** What the endpoints of the sign-in provider and its pages are given. */
export interface SignInDependencies extends ServerDependencies {
  readonly now: () => Date;
  /** Who we are (OpenID Connect Core section 2, `iss`), and where: AUTH_URL. */
  readonly issuer: () => string;
  readonly interaction: Interaction;
  readonly gate: Gate;
}

/** What tokens are made with. */
export const tokenParts = ({ store, personal, tokenKeys, config }: SignInDependencies): TokenParts => ({
  store,
  personal,
  tokenKeys,
  lifetimes: config.lifetimes,
});

/** Codes, tokens and consents decide from their newest event, so each request is a command of its own. */
export const contextOf = (
  actor: CommandContext['actor'],
  { id: correlationId }: { readonly id: string },
  at: Date,
): CommandContext => ({ actor, commandId: crypto.randomUUID(), correlationId, at });

/** A site that exchanges, refreshes or revokes. */
export const clientActor = (clientId: string): CommandContext['actor'] => ({ kind: 'client', id: clientId });

/** AUTH_URL, else BASE_URL, else wherever this server listens, under the name that browsers let set cookies. */
export function issuerOf({ authUrl, ...config }: Config, server: FastifyInstance): () => string {
  return authUrl === undefined ? addressOf(config, server) : () => authUrl;
}
