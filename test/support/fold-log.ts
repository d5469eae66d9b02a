import type { AnyProjection } from '../../src/projections/engine/read-model.ts';
import { Tail } from '../../src/projections/engine/tail.ts';
import { filterOf } from '../../src/projections/engine/read-model.ts';
import type { CollectionWriter, Documents } from '../../src/stores/documents/port.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';

/** Folds what stands in the log into one generation, as a projector does, and stops at its end. */
export async function foldLog(
  projection: AnyProjection,
  {
    store,
    documents,
    writer,
    signal = new AbortController().signal,
  }: {
    readonly store: EventStore;
    readonly documents: Documents;
    readonly writer: CollectionWriter<object>;
    readonly signal?: AbortSignal;
  },
): Promise<void> {
  const level = new AbortController();
  let failure: unknown;
  const head = await store.head();
  const tail = new Tail({
    store,
    documents,
    from: writer.checkpoint,
    ...filterOf(projection),
    onRound: async (position) => {
      if (position >= head) level.abort();
    },
    onExpelled: (_member, error) => {
      failure = error;
      level.abort();
    },
  });
  await tail.admit({ projection, writer });
  await tail.run(AbortSignal.any([signal, level.signal]));
  if (failure !== undefined) throw failure as Error;
}
