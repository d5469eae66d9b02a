import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PersonalData } from '../../src/personal/personal-data.ts';
import {
  belongsToInstallation,
  textBelongsToInstallation,
} from '../../src/events/belongs-to-installation.ts';
import { EmbeddedDocuments } from '../../src/stores/documents/embedded/documents.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { OwnEvents, type EventOwner } from '../../src/stores/event-store/own-events.ts';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { EmbeddedLeases } from '../../src/stores/leases/embedded.ts';
import type { Leases } from '../../src/stores/leases/port.ts';
import { EmbeddedProofLog } from '../../src/stores/side/embedded-proof-log.ts';
import type { ProofLog } from '../../src/stores/side/proof-log-port.ts';
import { EmbeddedSideStore } from '../../src/stores/side/embedded.ts';
import type { SideStore } from '../../src/stores/side/port.ts';
import { EmbeddedVault } from '../../src/stores/vault/embedded.ts';
import type { Vault } from '../../src/stores/vault/port.ts';
import { temporaryFolder } from './folder.ts';

/** Every store on real files of one folder, as one process opens them. */
export interface Stores {
  readonly path: string;
  /** The events of an installation that needs no event to have a name. */
  readonly store: EventStore;
  /** All that stands in the log. */
  readonly wholeLog: EventStore;
  readonly documents: Documents;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly proofLog: ProofLog;
  close(): Promise<void>;
}

const masterKey = randomBytes(32);

/** The installation whose events all these are. */
export const installation = '0f6f2f3c-8d37-4c84-9d5a-6a1f0a8f4f55';
const owner: EventOwner = {
  id: async () => installation,
  ensureId: async () => installation,
  owns: (event, id) => belongsToInstallation(event, id),
  ownsText: (event, id) => textBelongsToInstallation(event, id),
  mark: (metadata, id) => ({ ...(metadata as object), installation: id }),
};

/** A data folder: to open, to close, and to open again as the next process would. */
export function dataFolder() {
  const folder = temporaryFolder();
  const opened: Stores[] = [];
  return {
    path: folder.path,
    open(): Stores {
      const stores = openStores(folder.path);
      opened.push(stores);
      return stores;
    },
    /** What an operator may do while nothing runs. */
    deleteViews(): void {
      for (const suffix of ['', '-wal', '-shm'])
        rmSync(join(folder.path, `views.db${suffix}`), { force: true });
    },
    async dispose(): Promise<void> {
      for (const stores of opened) await stores.close();
      folder.remove();
    },
  };
}

export type DataFolder = ReturnType<typeof dataFolder>;

function openStores(path: string): Stores {
  const wholeLog = new EmbeddedEventStore({ directory: path });
  const store = new OwnEvents(wholeLog, owner);
  const documents = new EmbeddedDocuments(path);
  const vault = new EmbeddedVault(path, masterKey);
  const personal = new PersonalData(vault);
  const side = new EmbeddedSideStore(path);
  const leases = new EmbeddedLeases(path);
  const proofLog = new EmbeddedProofLog(path);
  let closed: Promise<void> | undefined;
  const closeAll = async () => {
    for (const part of [proofLog, leases, documents, side, vault, store]) await part.close();
  };
  return {
    path,
    store,
    wholeLog,
    documents,
    vault,
    personal,
    side,
    leases,
    proofLog,
    close: () => (closed ??= closeAll()),
  };
}
