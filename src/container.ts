/**
 * The composition root.
 * Over 300 lines: it is the only file that knows which adapter stands behind a port.
 */
import 'reflect-metadata';
import type { MessagePort } from 'node:worker_threads';
import {
  container as root,
  instanceCachingFactory,
  type DependencyContainer,
  type InjectionToken,
} from 'tsyringe';
import { Installation } from './commands/installation.ts';
import { recordOfInstallation, type InstallationParts } from './commands/installation-record.ts';
import { SigningKeys } from './commands/oauth/signing-keys.ts';
import { TokenKeys } from './commands/oauth/token-keys.ts';
import { NodeCompatibility } from './commands/node-compatibility.ts';
import { ledgerFilesOf, type Config, type LedgerFile } from './config.ts';
import { masterKeyOf, prepareDataFolder } from './data-folder.ts';
import { defined } from './ground/defined.ts';
import { limitTable } from './tables/limits.ts';
import { KeyCaches } from './personal/key-caches.ts';
import { PersonalData } from './personal/personal-data.ts';
import type { Documents } from './stores/documents/port.ts';
import { inEach, type ErasureLedgers, type KeptLedger } from './stores/vault/erasure-ledger-port.ts';
import { StoreError } from './stores/errors.ts';
import type { GroupOptions } from './stores/event-store/reliable-consume.ts';
import type { GroupState } from './stores/event-store/group-source.ts';
import { OwnEvents } from './stores/event-store/own-events.ts';
import type { EventStore } from './stores/event-store/port.ts';
import type { Leases } from './stores/leases/port.ts';
import type { AttemptLimiter, Limit, Limits, RateLimiter } from './stores/limits/port.ts';
import { TableLimits } from './stores/limits/table-limits.ts';
import type { Nodes } from './stores/leases/nodes-port.ts';
import { NodeRegistry } from './stores/leases/node-registry.ts';
import type { ProofLog } from './stores/side/proof-log-port.ts';
import type { SideStore } from './stores/side/port.ts';
import { KeyFiles } from './stores/vault/key-files.ts';
import type { Vault } from './stores/vault/port.ts';
import { keyRing, type MasterKey } from './ground/master-key.ts';

/** The open stores of one thread. */
export interface System {
  readonly config: Config;
  /** This installation's events only. */
  readonly store: EventStore;
  /** The log with the events of all installations, for copies and for the identity of the log. */
  readonly wholeLog: EventStore;
  readonly installation: Installation;
  readonly documents: Documents;
  readonly vault: Vault;
  readonly side: SideStore;
  /** Which data keys were destroyed: kept apart from log and vault. */
  readonly erasureLedger: ErasureLedgers;
  readonly leases: Leases;
  /** The tree and the checkpoints over this installation's events. */
  readonly proofLog: ProofLog;
  /** The processes that share these stores. */
  readonly nodes: Nodes;
  /** Limits the requests of an API key. Counted for all nodes together when they share a MongoDB. */
  readonly rateLimiter: RateLimiter;
  /** The other limits, such as those of sign-ins. Counted in the same way. */
  readonly limits: Limits;
  /** These three cache keys of the vault. One instance each, so that each key is read once. */
  readonly personal: PersonalData;
  readonly tokenKeys: TokenKeys;
  readonly signingKeys: SigningKeys;
  readonly masterKey: MasterKey;
  /** The number of shards into which dispatchers divide subscriptions. */
  readonly shards: number;
  /**
   * A port for another thread of this process to append with the same writer. Undefined when there is no writer
   * thread.
   */
  shareWriter(): MessagePort | undefined;
  /** Rejects when the writer thread has died. The process must then restart. */
  readonly lost: Promise<never>;
  /** Prevents appends to the embedded log by all processes until it is released. Does nothing for EventStoreDB. */
  lockAppends(): { release(): void };
  /**
   * Resolves when every store answers.
   * @throws StoreError unavailable (retry), other codes (a retry will not help)
   */
  ready(): Promise<void>;
  /** The files of the data folder that are damaged, as far as a short look shows. None where nothing is stored in it. */
  damagedFiles(): readonly string[];
  /** Closes all stores, in reverse order of opening. */
  close(): Promise<void>;
}

const MASTER_KEY: InjectionToken<MasterKey> = Symbol('MasterKey');
const WHOLE_LOG: InjectionToken<EventStore> = Symbol('WholeLog');
const INSTALLATION: InjectionToken<Installation> = Symbol('Installation');
const EVENT_STORE: InjectionToken<EventStore> = Symbol('EventStore');
const DOCUMENTS: InjectionToken<Documents> = Symbol('Documents');
const VAULT: InjectionToken<Vault> = Symbol('Vault');
const ERASURE_LEDGER: InjectionToken<ErasureLedgers> = Symbol('ErasureLedger');
const SIDE: InjectionToken<SideStore> = Symbol('SideStore');
const NODES: InjectionToken<Nodes> = Symbol('Nodes');
const LEASES: InjectionToken<Leases> = Symbol('Leases');
const PROOF_LOG: InjectionToken<ProofLog> = Symbol('ProofLog');
const GROUP_STATE: InjectionToken<GroupState> = Symbol('GroupState');
const RATE_LIMITER: InjectionToken<RateLimiter> = Symbol('RateLimiter');
const LIMITS: InjectionToken<Limits> = Symbol('Limits');
const PERSONAL: InjectionToken<PersonalData> = Symbol('PersonalData');
const TOKEN_KEYS: InjectionToken<TokenKeys> = Symbol('TokenKeys');
const SIGNING_KEYS: InjectionToken<SigningKeys> = Symbol('SigningKeys');

/** With MongoDB several machines share the sending. On one machine there is one shard. */
const shardsOfMany = 64;

export interface SystemOptions {
  /** Writes the embedded side store in a thread of its own: for the dispatcher, which writes with each attempt. */
  readonly sideThread?: boolean;
}

/**
 * Opens each store on first use. `writer` is a port to the process's writer thread. Only the needed adapters are
 * loaded: the client libraries take a quarter of a second.
 */
export async function openSystem(
  config: Config,
  writer?: MessagePort,
  { sideThread = false }: SystemOptions = {},
): Promise<System> {
  prepareDataFolder(config.dataDir);
  const opened: { close(): Promise<void> }[] = [];
  const container = root.createChildContainer();
  const provide = <Part>(token: InjectionToken<Part>, make: (of: DependencyContainer) => Part) =>
    container.register(token, {
      useFactory: instanceCachingFactory((of) => {
        const part = make(of);
        if (typeof (part as { close?: unknown }).close === 'function')
          opened.push(part as { close(): Promise<void> });
        return part;
      }),
    });

  provide(MASTER_KEY, () => masterKeyFrom(config));
  const log =
    config.eventStoreUrl === undefined
      ? await embeddedLog(config, writer)
      : await eventStoreDb(config.eventStoreUrl, config.eventStoreNamespace);
  provide(WHOLE_LOG, (of) =>
    log.open(() => ({ state: of.resolve(GROUP_STATE), leases: () => of.resolve(LEASES) })),
  );
  provide(INSTALLATION, (of) => new Installation(of.resolve(WHOLE_LOG), () => of.resolve(VAULT)));
  container.register(EVENT_STORE, {
    useFactory: instanceCachingFactory(
      (of) =>
        new OwnEvents(
          of.resolve(WHOLE_LOG),
          of.resolve(INSTALLATION),
          new NodeCompatibility(of.resolve(NODES)),
        ),
    ),
  });
  const besideLog =
    config.mongoUrl === undefined
      ? await embeddedBesideLog(config.dataDir, sideThread)
      : await mongoDb(config.mongoUrl);
  const ledgersOfFiles = await Promise.all(ledgerFilesOf(config).map(openLedgerFile));
  provide(GROUP_STATE, (of) => besideLog.groupState(() => of.resolve(SIDE)));
  provide(DOCUMENTS, besideLog.documents);
  provide(VAULT, (of) => besideLog.vault(of.resolve(MASTER_KEY)));
  provide(SIDE, besideLog.side);
  provide(ERASURE_LEDGER, () => {
    const ofStores = besideLog.erasureLedger?.();
    return inEach(ofStores ? [ofStores, ...ledgersOfFiles] : ledgersOfFiles);
  });
  provide(NODES, (of) => new NodeRegistry(() => of.resolve(SIDE)));
  provide(LEASES, besideLog.leases);
  provide(PROOF_LOG, besideLog.proofLog);
  provide(RATE_LIMITER, () => besideLog.rateLimiter({ ...limitTable.key, points: config.limits.key }));
  provide(
    LIMITS,
    (of) =>
      new TableLimits({
        open: besideLog.attemptLimiter,
        masterKey: of.resolve(MASTER_KEY),
        numbers: config.limits,
      }),
  );
  provide(
    PERSONAL,
    (of) =>
      new PersonalData(
        of.resolve(VAULT),
        undefined,
        of.resolve(ERASURE_LEDGER),
        new KeyCaches(() => of.resolve(SIDE)),
      ),
  );
  provide(
    TOKEN_KEYS,
    (of) =>
      new TokenKeys(of.resolve(VAULT), undefined, (key) =>
        recordTokenKey({ store: of.resolve(EVENT_STORE), installation: of.resolve(INSTALLATION) }, key),
      ),
  );
  provide(
    SIGNING_KEYS,
    (of) => new SigningKeys({ store: of.resolve(EVENT_STORE), vault: of.resolve(VAULT) }),
  );

  return {
    config,
    shards: config.mongoUrl === undefined ? 1 : shardsOfMany,
    get store() {
      return container.resolve(EVENT_STORE);
    },
    get wholeLog() {
      return container.resolve(WHOLE_LOG);
    },
    get installation() {
      return container.resolve(INSTALLATION);
    },
    get documents() {
      return container.resolve(DOCUMENTS);
    },
    get vault() {
      return container.resolve(VAULT);
    },
    get side() {
      return container.resolve(SIDE);
    },
    get nodes() {
      return container.resolve(NODES);
    },
    get erasureLedger() {
      return container.resolve(ERASURE_LEDGER);
    },
    get leases() {
      return container.resolve(LEASES);
    },
    get proofLog() {
      return container.resolve(PROOF_LOG);
    },
    get rateLimiter() {
      return container.resolve(RATE_LIMITER);
    },
    get limits() {
      return container.resolve(LIMITS);
    },
    get personal() {
      return container.resolve(PERSONAL);
    },
    get tokenKeys() {
      return container.resolve(TOKEN_KEYS);
    },
    get signingKeys() {
      return container.resolve(SIGNING_KEYS);
    },
    get masterKey() {
      return container.resolve(MASTER_KEY);
    },
    shareWriter: () => {
      container.resolve(WHOLE_LOG);
      return log.shareWriter();
    },
    lost: log.lost,
    lockAppends: log.lockAppends,
    async ready() {
      container.resolve(WHOLE_LOG);
      await log.ready();
      await besideLog.ready();
    },
    damagedFiles: () => [...log.damagedFiles(), ...besideLog.damagedFiles()],
    async close() {
      for (const part of opened.reverse()) await part.close();
      await besideLog.close();
    },
  };
}

/** Whoever gets a token does not wait for it, and gets one though it cannot be recorded. */
async function recordTokenKey(parts: InstallationParts, key: string): Promise<void> {
  const actor = { kind: 'system', id: 'token-keys' } as const;
  const context = { actor, commandId: crypto.randomUUID(), at: new Date() };
  try {
    await recordOfInstallation(parts, { kind: 'token-key-replaced', key }, context);
  } catch (error) {
    console.error(`token keys: ${(error as Error).message}`);
  }
}

/** A file of the erasure ledger, whether it is there or not. */
export async function openLedgerFile({ path, setting }: LedgerFile): Promise<KeptLedger> {
  const { FileErasureLedger } = await import('./stores/vault/embedded-erasure-ledger.ts');
  return new FileErasureLedger(path, setting);
}

/** The given master key with the one before it, or those in the data folder, which may change while this runs. */
export function masterKeyFrom({ dataDir, masterKey, masterKeyPrevious }: Config): MasterKey {
  const key = masterKeyOf(dataDir, masterKey);
  if (masterKey === undefined) return new KeyFiles(dataDir);
  return masterKeyPrevious === undefined ? key : keyRing(key, Buffer.from(masterKeyPrevious, 'base64'));
}

/** The adapter of the log. */
interface LogAdapter {
  /** `groups`: state and leases of consumer groups. Resolved only when a group consumes. */
  readonly open: (groups: () => GroupOptions) => EventStore;
  readonly ready: () => Promise<void>;
  readonly lost: Promise<never>;
  readonly shareWriter: () => MessagePort | undefined;
  readonly lockAppends: () => { release(): void };
  readonly damagedFiles: () => readonly string[];
}

async function embeddedLog({ dataDir }: Config, writer: MessagePort | undefined): Promise<LogAdapter> {
  const [{ EmbeddedEventStore }, { lockAppends }, { FileChecks }] = await Promise.all([
    import('./stores/event-store/embedded/store.ts'),
    import('./stores/event-store/embedded/lock.ts'),
    import('./stores/damaged-files.ts'),
  ]);
  const checks = new FileChecks(dataDir, ['events.db', 'consumers.db']);
  let store: InstanceType<typeof EmbeddedEventStore> | undefined;
  const loss = Promise.withResolvers<never>();
  // Callers that do not wait for it get the error with their next append.
  loss.promise.catch(() => undefined);
  const onWriterLost = ({ message }: Error) =>
    loss.reject(new StoreError('unavailable', `Nothing can be appended: ${message}.`));
  return {
    open: () =>
      (store = new EmbeddedEventStore({ directory: dataDir, onWriterLost, ...defined({ writer }) })),
    ready: async () => undefined,
    lost: loss.promise,
    shareWriter: () => store?.shareWriter(),
    lockAppends: () => lockAppends(dataDir),
    damagedFiles: () => checks.damaged(),
  };
}

async function eventStoreDb(url: string, namespace: string | undefined): Promise<LogAdapter> {
  const { EventStoreDbStore } = await import('./stores/event-store/eventstoredb/store.ts');
  let store: InstanceType<typeof EventStoreDbStore> | undefined;
  return {
    open: (groups) => (store = new EventStoreDbStore({ url, groups, ...defined({ namespace }) })),
    ready: async () => store?.ready(),
    lost: new Promise<never>(() => undefined),
    shareWriter: () => undefined,
    lockAppends: () => ({ release: () => undefined }),
    damagedFiles: () => [],
  };
}

/** The adapters of everything but the log. */
interface BesideLogAdapter {
  readonly documents: () => Documents;
  readonly vault: (masterKey: MasterKey) => Vault;
  readonly side: () => SideStore;
  /** Undefined: a file alone. */
  readonly erasureLedger?: () => KeptLedger;
  readonly groupState: (side: () => SideStore) => GroupState;
  readonly leases: () => Leases;
  readonly proofLog: () => ProofLog;
  readonly rateLimiter: (limit: Limit) => RateLimiter;
  readonly attemptLimiter: (name: string, limit: Limit) => AttemptLimiter;
  readonly ready: () => Promise<void>;
  readonly damagedFiles: () => readonly string[];
  readonly close: () => Promise<void>;
}

async function embeddedBesideLog(dataDir: string, sideThread: boolean): Promise<BesideLogAdapter> {
  const [
    { EmbeddedDocuments },
    { EmbeddedVault },
    { EmbeddedSideStore },
    { EmbeddedGroupState },
    { EmbeddedLeases },
    { EmbeddedProofLog },
    { MemoryRateLimiter },
    { embeddedCounts },
    { SharedAttemptLimiter },
    { FileChecks },
  ] = await Promise.all([
    import('./stores/documents/embedded/documents.ts'),
    import('./stores/vault/embedded.ts'),
    import('./stores/side/embedded.ts'),
    import('./stores/event-store/embedded/group-state.ts'),
    import('./stores/leases/embedded.ts'),
    import('./stores/side/embedded-proof-log.ts'),
    import('./stores/limits/memory-rate-limiter.ts'),
    import('./stores/limits/embedded-counts.ts'),
    import('./stores/limits/shared-attempt-limiter.ts'),
    import('./stores/damaged-files.ts'),
  ]);
  const checks = new FileChecks(dataDir, ['views.db', 'vault.db', 'side.db', 'log.db']);
  const counts = embeddedCounts(dataDir);
  return {
    documents: () => new EmbeddedDocuments(dataDir),
    vault: (masterKey) => new EmbeddedVault(dataDir, masterKey),
    side: () => new EmbeddedSideStore(dataDir, { thread: sideThread }),
    groupState: () => new EmbeddedGroupState(dataDir),
    leases: () => new EmbeddedLeases(dataDir),
    proofLog: () => new EmbeddedProofLog(dataDir),
    rateLimiter: (limit) => new MemoryRateLimiter(limit),
    attemptLimiter: (name, limit) => new SharedAttemptLimiter(counts, name, limit),
    ready: async () => undefined,
    damagedFiles: () => checks.damaged(),
    close: async () => counts.close(),
  };
}

async function mongoDb(url: string): Promise<BesideLogAdapter> {
  const [
    { connectToMongo },
    { MongoDocuments },
    { MongoVault },
    { MongoSideStore },
    { MongoErasureLedger },
    { MongoLeases },
    { MongoProofLog },
    { MongoRateLimiter },
    { SharedAttemptLimiter },
    { mongodbCounts },
  ] = await Promise.all([
    import('./stores/mongodb-connection.ts'),
    import('./stores/documents/mongodb/documents.ts'),
    import('./stores/vault/mongodb.ts'),
    import('./stores/side/mongodb.ts'),
    import('./stores/vault/mongodb-erasure-ledger.ts'),
    import('./stores/leases/mongodb.ts'),
    import('./stores/side/mongodb-proof-log.ts'),
    import('./stores/limits/mongodb-rate-limiter.ts'),
    import('./stores/limits/shared-attempt-limiter.ts'),
    import('./stores/limits/mongodb-counts.ts'),
  ]);
  const connection = connectToMongo(url);
  const counts = mongodbCounts(connection.db);
  return {
    documents: () => new MongoDocuments(connection.db),
    vault: (masterKey) => new MongoVault(connection.db, masterKey),
    side: () => new MongoSideStore(connection.db),
    erasureLedger: () => new MongoErasureLedger(connection.db),
    groupState: (side) => side().table('consumer-groups'),
    leases: () => new MongoLeases(connection.db),
    proofLog: () => new MongoProofLog(connection.db),
    rateLimiter: (limit) => new MongoRateLimiter(counts, limit),
    attemptLimiter: (name, limit) => new SharedAttemptLimiter(counts, name, limit),
    damagedFiles: () => [],
    ready: () => connection.ready(),
    close: () => connection.close(),
  };
}
