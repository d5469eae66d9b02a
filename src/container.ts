import 'reflect-metadata';
import type { MessagePort } from 'node:worker_threads';
import {
  container as root,
  instanceCachingFactory,
  type DependencyContainer,
  type InjectionToken,
} from 'tsyringe';
import { SigningKeys } from './commands/signing-keys.ts';
import { TokenKeys } from './commands/token-keys.ts';
import type { Config } from './config.ts';
import { masterKeyOf, prepareDataFolder } from './data-folder.ts';
import { PersonalData } from './personal/personal-data.ts';
import { EmbeddedDocuments } from './stores/documents/embedded/documents.ts';
import type { Documents } from './stores/documents/port.ts';
import { EmbeddedEventStore } from './stores/event-store/embedded/store.ts';
import type { EventStore } from './stores/event-store/port.ts';
import { EmbeddedLeases } from './stores/leases/embedded.ts';
import type { Leases } from './stores/leases/port.ts';
import { EmbeddedSideStore } from './stores/side/embedded.ts';
import type { SideStore } from './stores/side/port.ts';
import { EmbeddedVault } from './stores/vault/embedded.ts';
import type { Vault } from './stores/vault/port.ts';

/** What is open in one thread of one process. The only place that knows which adapter is behind a port. */
export interface System {
  readonly config: Config;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly vault: Vault;
  readonly side: SideStore;
  readonly leases: Leases;
  /** What keeps copies of the vault's keys for a while: one of each, so that each is read once. */
  readonly personal: PersonalData;
  readonly tokenKeys: TokenKeys;
  readonly signingKeys: SigningKeys;
  readonly masterKey: Buffer;
  /** What another thread of this process needs to append by the same writer. */
  shareWriter(): MessagePort;
  /** Closes what was opened, in the order that loses nothing. */
  close(): Promise<void>;
}

const CONFIG: InjectionToken<Config> = Symbol('Config');
const MASTER_KEY: InjectionToken<Buffer> = Symbol('MasterKey');
const EVENT_STORE: InjectionToken<EmbeddedEventStore> = Symbol('EventStore');
const DOCUMENTS: InjectionToken<Documents> = Symbol('Documents');
const VAULT: InjectionToken<Vault> = Symbol('Vault');
const SIDE: InjectionToken<SideStore> = Symbol('SideStore');
const LEASES: InjectionToken<Leases> = Symbol('Leases');
const PERSONAL: InjectionToken<PersonalData> = Symbol('PersonalData');
const TOKEN_KEYS: InjectionToken<TokenKeys> = Symbol('TokenKeys');
const SIGNING_KEYS: InjectionToken<SigningKeys> = Symbol('SigningKeys');

/** Opens stores as they are first asked for. `writer`: leads to the writer thread that this process already has. */
export function openSystem(config: Config, writer?: MessagePort): System {
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

  container.register(CONFIG, { useValue: config });
  provide(MASTER_KEY, () => masterKeyOf(config.dataDir, config.masterKey));
  provide(
    EVENT_STORE,
    () => new EmbeddedEventStore({ directory: config.dataDir, ...(writer ? { writer } : {}) }),
  );
  provide(DOCUMENTS, () => new EmbeddedDocuments(config.dataDir));
  provide(VAULT, (of) => new EmbeddedVault(config.dataDir, of.resolve(MASTER_KEY)));
  provide(SIDE, () => new EmbeddedSideStore(config.dataDir));
  provide(LEASES, () => new EmbeddedLeases(config.dataDir));
  provide(PERSONAL, (of) => new PersonalData(of.resolve(VAULT)));
  provide(TOKEN_KEYS, (of) => new TokenKeys(of.resolve(VAULT)));
  provide(
    SIGNING_KEYS,
    (of) => new SigningKeys({ store: of.resolve(EVENT_STORE), vault: of.resolve(VAULT) }),
  );

  return {
    config,
    get store() {
      return container.resolve(EVENT_STORE);
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
    get leases() {
      return container.resolve(LEASES);
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
    shareWriter: () => container.resolve(EVENT_STORE).shareWriter(),
    async close() {
      for (const part of opened.reverse()) await part.close();
    },
  };
}
