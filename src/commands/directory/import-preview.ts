import type { ResourceFields } from '../../events/directory/resource.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { PersonalData } from '../../personal/personal-data.ts';
import { beginning, type EventStore } from '../../stores/event-store/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { load } from '../command-handler.ts';
import { importResource, type ImportOutcome } from './import-record.ts';
import { type ResourceParts } from './resource.ts';
import { resource } from './resource-decider.ts';

/** What an import would do with a record. */
export interface PreviewedImport {
  /** The id that the resource has or would get. */
  readonly svc_id: string;
  /** The types of the events that would be appended. Empty when nothing would change. */
  readonly types: readonly string[];
  /** The fields that would change. Empty for a new resource. */
  readonly fields: readonly (keyof ResourceFields)[];
  readonly conflicts: ImportOutcome['conflicts'];
  readonly erased: number;
}

/** The same parts, which read what is stored and keep to themselves what they are given to store. */
export function previewParts({ store, vault }: { store: EventStore; vault: Vault }): ResourceParts {
  return { store: previewStore(store), personal: new PersonalData(previewVault(vault)) };
}

/** What `importResource` would do. `parts`: those of `previewParts`. */
export async function previewImport(
  parts: ResourceParts,
  record: Parameters<typeof importResource>[1],
  context: CommandContext,
): Promise<PreviewedImport> {
  const { events, state, conflicts, erased } = await importResource(parts, record, context);
  const svc_id = state?.svc_id ?? '';
  const revised = events.find((event) => event.type === 'ResourceRevised');
  const before = revised && (await load(parts.store, resource, svc_id)).state?.fields;
  return {
    svc_id,
    types: events.map(({ type }) => type),
    fields: before ? fieldsThatDiffer(before, revised.data.fields) : [],
    conflicts,
    erased,
  };
}

function fieldsThatDiffer(before: ResourceFields, after: ResourceFields): (keyof ResourceFields)[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof ResourceFields)[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).sort();
}

const previewStore = (store: EventStore): EventStore => ({
  append: (_, events) => Promise.resolve({ revision: events.length - 1, position: beginning }),
  readStream: (...args) => store.readStream(...args),
  readStreams: (...args) => store.readStreams(...args),
  readAll: (...args) => store.readAll(...args),
  readTexts: (...args) => store.readTexts(...args),
  readNewest: (...args) => store.readNewest(...args),
  subscribe: (...args) => store.subscribe(...args),
  consume: (...args) => store.consume(...args),
  consumerGroup: (...args) => store.consumerGroup(...args),
  groupPlaces: (...args) => store.groupPlaces(...args),
  recordGroupLog: (...args) => store.recordGroupLog(...args),
  parked: (...args) => store.parked(...args),
  countParked: (...args) => store.countParked(...args),
  inFlight: (...args) => store.inFlight(...args),
  replayParked: (...args) => store.replayParked(...args),
  discardParked: (...args) => store.discardParked(...args),
  head: () => store.head(),
  eventIdAt: (...args) => store.eventIdAt(...args),
  count: (...args) => store.count(...args),
  streamLimits: () => store.streamLimits(),
  close: () => store.close(),
});

/** So many secrets are kept at a time: those of the records that are being looked at. */
const mostSecrets = 10_000;

function previewVault(vault: Vault): Vault {
  const kept = new Map<string, Uint8Array>();
  const keep = (name: string, secret: Uint8Array): Uint8Array => {
    const [oldest] = kept.keys();
    if (kept.size >= mostSecrets && oldest !== undefined) kept.delete(oldest);
    kept.set(name, secret);
    return secret;
  };
  return {
    put: (name, secret) => Promise.resolve(keep(name, secret)).then(() => undefined),
    putIfAbsent: async (name, secret) => (await vault.get(name)) ?? kept.get(name) ?? keep(name, secret),
    putAllIfAbsent: async (secrets) => {
      const stored = await vault.getMany([...secrets.keys()]);
      for (const [name, secret] of secrets) if (!stored.has(name) && !kept.has(name)) keep(name, secret);
    },
    get: async (name) => kept.get(name) ?? (await vault.get(name)),
    getMany: async (names) => {
      const ours = names.flatMap((name) => {
        const secret = kept.get(name);
        return secret ? [[name, secret] as const] : [];
      });
      return new Map([...(await vault.getMany(names)), ...ours]);
    },
    delete: (name) => Promise.resolve(kept.delete(name)).then(() => undefined),
    names: (prefix) => vault.names(prefix),
    reseal: (...args) => vault.reseal(...args),
    close: () => vault.close(),
  };
}
