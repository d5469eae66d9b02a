import type { FastifyInstance } from 'fastify';
import type { TokenParts } from '../commands/oauth/tokens.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { Config } from '../config.ts';
import { addressOf, type ServerDependencies } from './dependencies.ts';
import type { Gate } from './http/ready-gate.ts';
import type { RecentRefusals } from './oauth/recent-refusals.ts';
import type { Interaction } from './pages/interaction.ts';

/** What the sign-in provider and its pages depend on. */
export interface SignInDependencies extends ServerDependencies {
  readonly now: () => Date;
  /** The issuer (OpenID Connect Core section 2, `iss`), which is also its address: AUTH_URL. */
  readonly issuer: () => string;
  readonly interaction: Interaction;
  readonly gate: Gate;
  /** What was refused to sites of late. */
  readonly refusals: RecentRefusals;
}

/** What tokens are made with. */
export const tokenParts = ({
  store,
  personal,
  tokenKeys,
  config,
  limits,
}: SignInDependencies): TokenParts => ({
  store,
  personal,
  tokenKeys,
  lifetimes: config.lifetimes,
  limits,
});

/**
 * The context of a command. Each request is a command of its own, because codes, tokens and consents are decided from
 * their newest event.
 */
export const contextOf = (
  actor: CommandContext['actor'],
  { id: correlationId }: { readonly id: string },
  at: Date,
): CommandContext => ({ actor, commandId: crypto.randomUUID(), correlationId, at });

/** The actor for a site that exchanges, refreshes or revokes. */
export const clientActor = (clientId: string): CommandContext['actor'] => ({ kind: 'client', id: clientId });

/**
 * AUTH_URL, else BASE_URL, else the address where this server listens, with a host name for which browsers accept
 * cookies.
 */
export function issuerOf({ authUrl, ...config }: Config, server: FastifyInstance): () => string {
  return authUrl === undefined ? addressOf(config, server) : () => authUrl;
}
