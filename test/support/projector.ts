import { appending } from './append.ts';
import { all } from './fold.ts';
import { modelOf, nameOf, type AnyProjection } from '../../src/projections/engine/read-model.ts';
import { promptly } from '../../src/projections/engine/pace.ts';
import { project, type ProjectorOptions } from '../../src/projections/engine/projector.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import type { Stores } from './stores.ts';

type Options = Partial<Omit<ProjectorOptions, 'signal'>>;

/** A projector at work, until it is stopped. Unlike a node's, it never rests between two commits: a test waits for each. */
export function startProjector(stores: Stores, options: Options = {}) {
  const abort = new AbortController();
  const ended = project({
    ...{ ...stores, projections: all, retryMs: 2, pace: promptly },
    ...options,
    signal: abort.signal,
  });
  // Whoever stops it or waits for its end hears of a failure; nobody else need.
  ended.catch(() => undefined);
  return {
    ended,
    async stop(): Promise<void> {
      abort.abort();
      await ended;
    },
  };
}

/** Resolves when the read models show everything that is in the log now. */
export async function caughtUp(stores: Stores, projections: readonly AnyProjection[] = all): Promise<void> {
  await visible(stores.documents, projections.map(nameOf), await stores.store.head(), 20_000);
}

/** Every document that a read model serves, in an order of its own making. */
export async function documentsOf(documents: Documents, projection: AnyProjection): Promise<unknown[]> {
  const found = await documents.collection(projection.collection).page({ orderBy: [], limit: 1_000_000 });
  return sorted(found);
}

/** Every document of every read model. */
export async function everything(
  documents: Documents,
  projections: readonly AnyProjection[] = all,
): Promise<Record<string, unknown[]>> {
  const models = projections.map(async (each) => [nameOf(each), await documentsOf(documents, each)] as const);
  return Object.fromEntries(await Promise.all(models));
}

/** As JSON has it, and in one order, so that what is equal compares equal. */
export function sorted(documents: Iterable<unknown>): unknown[] {
  const texts = Array.from(documents, (each) => JSON.stringify(inOrder(each)));
  return texts.sort().map((each) => JSON.parse(each) as unknown);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, inOrder(each)]));
}

/** Asks for a read model to be built anew, as an operator does. */
export async function askForRebuild(store: EventStore, projection: AnyProjection): Promise<void> {
  const name = modelOf(projection);
  await appending(store, `projection-${name}`, { type: 'RebuildStarted', data: { projection: name } });
}
