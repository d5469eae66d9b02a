import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { SigningKeys } from '../commands/oauth/signing-keys.ts';
import type { TokenKeys } from '../commands/oauth/token-keys.ts';
import type { Config } from '../config.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { RateLimiter, AttemptLimiterOf } from '../stores/limits/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { Vault } from '../stores/vault/port.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why not; a sentence for an operator, which anybody may read. */
  readonly reason?: string;
  /** Likewise, what is wrong though the work can be done. */
  readonly warnings?: readonly string[];
}

/** All that the HTTP surfaces are given. */
export interface ServerDependencies {
  readonly config: Config;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  /** How often a key may ask. */
  readonly rateLimiter: RateLimiter;
  /** How often other things may be tried. */
  readonly attemptLimiter: AttemptLimiterOf;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly tokenKeys: TokenKeys;
  readonly signingKeys: SigningKeys;
  readonly masterKey: Buffer;
  readonly now?: () => Date;
  /** Whether the read models have reached what the log held at the start: half a view must not authorise. */
  readonly ready: () => Promise<Readiness>;
  /** Aborts when the service is told to stop: /readyz says so, and who comes all the same is served. */
  readonly stopping?: AbortSignal;
  /** Connections that may be open at once; default 10,000. */
  readonly maximumConnections?: number;
  readonly logger?: boolean | LoggerOptions;
}

type LoggerOptions = Exclude<NonNullable<FastifyServerOptions['logger']>, boolean>;

/** Links begin with this: absolute where the operator has said where we are, else relative to the request. */
export const baseOf = ({ config }: Pick<ServerDependencies, 'config'>): string => config.baseUrl ?? '';

/** BASE_URL, else wherever this server listens: for who has to be told an address as a whole. */
export function addressOf(
  { baseUrl, port }: Pick<Config, 'baseUrl' | 'port'>,
  server: FastifyInstance,
): () => string {
  if (baseUrl !== undefined) return () => baseUrl;
  let listening = `http://localhost:${port}`;
  server.addHook('onListen', async () => {
    const [address] = server.addresses();
    if (typeof address === 'object') listening = `http://${hostOf(address)}:${address.port}`;
  });
  return () => listening;
}

function hostOf({ address, family }: { readonly address: string; readonly family: string }): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(address)) return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}
