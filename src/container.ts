/**
 * The composition root.
 * Over 300 lines: it is the only file that knows which adapter stands behind a port.
 */
import 'reflect-metadata';
import type { MessagePort } from 'node:worker_threads';
import { container as root, instanceCachingFactory } from 'tsyringe';
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
import { refuseNewerFormat } from './stores/format.ts';
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
import type { WitnessStore } from './stores/side/witness-port.ts';
import { KeyFiles } from './stores/vault/key-files.ts';
import type { Vault } from './stores/vault/port.ts';
import { keyRing, type MasterKey } from './ground/master-key.ts';

/** What a thread works with. Each part is made when it is first asked for. */
interface Parts {
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
  /** What this installation has cosigned of the logs of others. */
  readonly witnessStore: WitnessStore;
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
}

/** The open stores of one thread. */
export interface System extends Parts {
  readonly config: Config;
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
   * Resolves when every store answers, and none has a newer format than this release reads.
   * @throws StoreError unavailable (retry), other codes (a retry will not help)
   */
  ready(): Promise<void>;
  /** The files of the data folder that are damaged, as far as a short look shows. None where nothing is stored in it. */
  damagedFiles(): readonly string[];
  /** Those that were moved away, removed or replaced since the first look: this process goes on with the old ones. */
  movedFiles(): readonly string[];
  /** Closes all stores, in reverse order of opening. */
  close(): Promise<void>;
}

/** How each part is made. It names the parts that it takes, by `part`: now, or in a function when it first needs them. */
type Factories = { readonly [Name in keyof Made]: (part: PartOf) => Made[Name] };
type PartOf = <Name extends keyof Made>(name: Name) => Made[Name];

interface Made extends Parts {
  /** The places of consumer groups, for the log alone. */
  readonly groupState: GroupState;
}

/** With MongoDB several machines share the sending. On one machine there is one shard. */
const shardsOfMany = 64;

export interface SystemOptions {
  /** Writes the embedded side store in a thread of its own: for the dispatcher, which writes with each attempt. */
  readonly sideThread?: boolean;
}

/**
 * Opens each store on first use; nothing in a data folder that a newer release wrote. `writer` is a port to the process's writer thread. Only the needed adapters are
 * loaded: the client libraries take a quarter of a second.
 */
export async function openSystem(
  config: Config,
  writer?: MessagePort,
  { sideThread = false }: SystemOptions = {},
): Promise<System> {
  const isEmbedded = {
    log: config.eventStoreUrl === undefined,
    besideLog: config.mongoUrl === undefined,
  };
  if (isEmbedded.log || isEmbedded.besideLog) {
    const { refuseNewerFiles } = await import('./stores/file-formats.ts');
    refuseNewerFiles(config.dataDir, isEmbedded);
  }
  prepareDataFolder(config.dataDir);
  const log =
    config.eventStoreUrl === undefined
      ? await embeddedLog(config, writer)
      : await eventStoreDb(config.eventStoreUrl, config.eventStoreNamespace);
  const besideLog =
    config.mongoUrl === undefined
      ? await embeddedBesideLog(config.dataDir, sideThread)
      : await mongoDb(config.mongoUrl);
  const ledgersOfFiles = await Promise.all(ledgerFilesOf(config).map(openLedgerFile));
  const { part, parts, closeParts } = lazily({
    masterKey: () => masterKeyFrom(config),
    wholeLog: (part) => log.open(() => ({ state: part('groupState'), leases: () => part('leases') })),
    installation: (part) => new Installation(part('wholeLog'), () => part('vault')),
    store: (part) =>
      new OwnEvents(part('wholeLog'), part('installation'), new NodeCompatibility(part('nodes'))),
    groupState: (part) => besideLog.groupState(() => part('side')),
    documents: besideLog.documents,
    vault: (part) => besideLog.vault(part('masterKey')),
    side: besideLog.side,
    erasureLedger: () => {
      const ofStores = besideLog.erasureLedger?.();
      return inEach(ofStores ? [ofStores, ...ledgersOfFiles] : ledgersOfFiles);
    },
    nodes: (part) => new NodeRegistry(() => part('side')),
    leases: besideLog.leases,
    proofLog: besideLog.proofLog,
    witnessStore: besideLog.witnessStore,
    rateLimiter: () => besideLog.rateLimiter({ ...limitTable.key, points: config.limits.key }),
    limits: (part) =>
      new TableLimits({
        open: besideLog.attemptLimiter,
        masterKey: part('masterKey'),
        numbers: config.limits,
      }),
    personal: (part) => {
      const caches = new KeyCaches(() => part('side'));
      return new PersonalData(part('vault'), undefined, part('erasureLedger'), caches);
    },
    tokenKeys: (part) =>
      new TokenKeys(part('vault'), undefined, (key) =>
        recordTokenKey({ store: part('store'), installation: part('installation') }, key),
      ),
    signingKeys: (part) => new SigningKeys({ store: part('store'), vault: part('vault') }),
  });

  return Object.assign(parts, {
    config,
    shards: config.mongoUrl === undefined ? 1 : shardsOfMany,
    shareWriter: () => {
      part('wholeLog');
      return log.shareWriter();
    },
    lost: log.lost,
    lockAppends: log.lockAppends,
    async ready() {
      part('wholeLog');
      await log.ready();
      await besideLog.ready();
      await refuseNewerFormat(part('side'));
    },
    damagedFiles: () => [...log.files.damaged(), ...besideLog.files.damaged()],
    movedFiles: () => [...log.files.moved(), ...besideLog.files.moved()],
    async close() {
      await closeParts();
      await besideLog.close();
    },
  });
}

/** Parts that are made on first use, and each once. */
function lazily(factories: Factories) {
  const container = root.createChildContainer();
  const opened: { close(): Promise<void> }[] = [];
  const part: PartOf = (name) => container.resolve(name);
  const parts = {};
  for (const name of Object.keys(factories) as (keyof Made)[]) {
    container.register(name, {
      useFactory: instanceCachingFactory(() => {
        const made: object = factories[name](part);
        // The events of this installation are closed with the whole log.
        if (name !== 'store' && 'close' in made) opened.push(made as { close(): Promise<void> });
        return made;
      }),
    });
    // Whoever copies a system makes its parts, but not this one.
    const enumerable = name !== 'groupState';
    Object.defineProperty(parts, name, { enumerable, get: () => part(name) });
  }
  return {
    part,
    parts: parts as Parts,
    /** Closes those that were made, the last one first. */
    closeParts: async () => {
      for (const each of opened.reverse()) await each.close();
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
  readonly files: StoredFiles;
}

/** The files of an adapter in the data folder. */
interface StoredFiles {
  damaged(): readonly string[];
  moved(): readonly string[];
}

const noFiles: StoredFiles = { damaged: () => [], moved: () => [] };

async function embeddedLog({ dataDir }: Config, writer: MessagePort | undefined): Promise<LogAdapter> {
  const [{ EmbeddedEventStore }, { lockAppends }, { FileChecks }] = await Promise.all([
    import('./stores/event-store/embedded/store.ts'),
    import('./stores/event-store/embedded/lock.ts'),
    import('./stores/damaged-files.ts'),
  ]);
  const files = new FileChecks(dataDir, ['events.db', 'consumers.db']);
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
    files,
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
    files: noFiles,
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
  readonly witnessStore: () => WitnessStore;
  readonly rateLimiter: (limit: Limit) => RateLimiter;
  readonly attemptLimiter: (name: string, limit: Limit) => AttemptLimiter;
  readonly ready: () => Promise<void>;
  readonly files: StoredFiles;
  readonly close: () => Promise<void>;
}

/** What a witness remembers, which has a folder of its own and needs no other store. */
export async function openWitnessStore(folder: string): Promise<WitnessStore> {
  const { EmbeddedWitnessStore } = await import('./stores/side/embedded-witness.ts');
  const store = new EmbeddedWitnessStore(folder);
  // A folder that cannot be used is named before anything is listened for.
  await store.id();
  return store;
}

async function embeddedBesideLog(dataDir: string, sideThread: boolean): Promise<BesideLogAdapter> {
  const [
    { EmbeddedDocuments },
    { EmbeddedVault },
    { EmbeddedSideStore },
    { EmbeddedGroupState },
    { EmbeddedLeases },
    { EmbeddedProofLog },
    { EmbeddedWitnessStore },
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
    import('./stores/side/embedded-witness.ts'),
    import('./stores/limits/memory-rate-limiter.ts'),
    import('./stores/limits/embedded-counts.ts'),
    import('./stores/limits/shared-attempt-limiter.ts'),
    import('./stores/damaged-files.ts'),
  ]);
  const files = new FileChecks(dataDir, ['views.db', 'vault.db', 'side.db', 'log.db']);
  const counts = embeddedCounts(dataDir);
  return {
    documents: () => new EmbeddedDocuments(dataDir),
    vault: (masterKey) => new EmbeddedVault(dataDir, masterKey),
    side: () => new EmbeddedSideStore(dataDir, { thread: sideThread }),
    groupState: () => new EmbeddedGroupState(dataDir),
    leases: () => new EmbeddedLeases(dataDir),
    proofLog: () => new EmbeddedProofLog(dataDir),
    witnessStore: () => new EmbeddedWitnessStore(dataDir),
    rateLimiter: (limit) => new MemoryRateLimiter(limit),
    attemptLimiter: (name, limit) => new SharedAttemptLimiter(counts, name, limit),
    ready: async () => undefined,
    files,
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
    { MongoWitnessStore },
    { MongoRateLimiter },
    { SharedAttemptLimiter },
    { mongodbCounts },
  ] = await Promise.all([
    import('./stores/mongodb-connection.ts'),
    import('./stores/documents/mongodb-documents.ts'),
    import('./stores/vault/mongodb.ts'),
    import('./stores/side/mongodb.ts'),
    import('./stores/vault/mongodb-erasure-ledger.ts'),
    import('./stores/leases/mongodb.ts'),
    import('./stores/side/mongodb-proof-log.ts'),
    import('./stores/side/mongodb-witness.ts'),
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
    witnessStore: () => new MongoWitnessStore(connection.db),
    rateLimiter: (limit) => new MongoRateLimiter(counts, limit),
    attemptLimiter: (name, limit) => new SharedAttemptLimiter(counts, name, limit),
    files: noFiles,
    ready: () => connection.ready(),
    close: () => connection.close(),
  };
}
