import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { MasterKey } from '../ground/master-key.ts';
import type { SigningKeys } from '../commands/oauth/signing-keys.ts';
import type { TokenKeys } from '../commands/oauth/token-keys.ts';
import type { Config } from '../config.ts';
import type { ProofOptions } from '../dispatch/operations/domain-proof.ts';
import type { BulkJobs } from '../imports/bulk-jobs.ts';
import type { ImportJobs } from '../imports/import-jobs.ts';
import type { Problem } from '../status/problems.ts';
import type { RequestDurations } from '../status/request-durations.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { UniformTiming } from '../actions/accounts/uniform-timing.ts';
import type { Limits, RateLimiter } from '../stores/limits/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { Nodes } from '../stores/leases/nodes-port.ts';
import type { ProofLog } from '../stores/side/proof-log-port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { WitnessStore } from '../stores/side/witness-port.ts';
import type { Vault } from '../stores/vault/port.ts';

export interface Readiness {
  readonly ready: boolean;
  /** Why not, as a sentence for an operator. It is public. */
  readonly reason?: string;
  /** Problems that do not stop the service, as sentences. They are public. */
  readonly warnings?: readonly string[];
}

/** What the HTTP surfaces depend on. */
export interface ServerDependencies extends UniformTiming {
  readonly config: Config;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  /** For what one process at a time does. */
  readonly leases: Leases;
  /** The processes that serve. */
  readonly nodes: Nodes;
  /** The tree and the checkpoints over the events. */
  readonly proofLog: ProofLog;
  /** What this installation has cosigned of the logs of others. */
  readonly witnessStore: WitnessStore;
  /** The rate limit of keys. */
  readonly rateLimiter: RateLimiter;
  /** The other limits. */
  readonly limits: Limits;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly tokenKeys: TokenKeys;
  readonly signingKeys: SigningKeys;
  readonly masterKey: MasterKey;
  /** Replaces DNS when the domains of sites are checked. */
  readonly domainLookups?: Pick<ProofOptions, 'resolver' | 'resolveTxt' | 'timeoutMs'>;
  readonly now?: () => Date;
  /** The imports that people start in a browser. Default: those of this server alone, which nobody tends. */
  readonly imports?: ImportJobs;
  /** Decisions about many records at once. Default: those of this server alone, which nobody tends. */
  readonly bulk?: BulkJobs;
  /**
   * Whether the read models have reached the end that the log had at the start. A partial view must not authorise
   * requests.
   */
  readonly ready: () => Promise<Readiness>;
  /** What the newest look of this process at its health found. Undefined: nobody looks. */
  readonly problems?: () => readonly Problem[];
  /** Aborts when the service is told to stop. /readyz then says so; requests are still served. */
  readonly stopping?: AbortSignal;
  /** Aborts when it is told so once more: answers under way are not waited for. */
  readonly hurried?: AbortSignal;
  /** The most open connections. Default: 10,000. */
  readonly maximumConnections?: number;
  readonly logger?: boolean | LoggerOptions;
  /** Undefined: requests are not measured. */
  readonly requestDurations?: RequestDurations | undefined;
}

type LoggerOptions = Exclude<NonNullable<FastifyServerOptions['logger']>, boolean>;

/** The base of links: absolute when the operator has set BASE_URL, else relative to the request. */
export const baseOf = ({ config }: Pick<ServerDependencies, 'config'>): string => config.baseUrl ?? '';

/** BASE_URL, else the address where this server listens: for texts that need a whole address. */
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
