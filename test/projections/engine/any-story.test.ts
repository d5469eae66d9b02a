import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOf, type AnyProjection } from '../../../src/projections/engine/read-model.ts';
import { foldLog } from '../../support/fold-log.ts';
import type { CollectionWriter } from '../../../src/stores/documents/port.ts';
import { altered } from '../../support/altered.ts';
import { aStory, nothingMade, unlessRefused } from '../../support/any-story.ts';
import { aCommand } from '../../support/context.ts';
import { all, foldOf } from '../../support/fold.ts';
import { everything, sorted } from '../../support/projector.ts';
import { dataFolder, type Stores } from '../../support/stores.ts';

/** How a read model's folding goes on: this many events in a batch, this many batches, and how it ends. */
const aStretch = fc.record({
  batchSize: fc.integer({ min: 1, max: 7 }),
  batches: fc.integer({ min: 1, max: 5 }),
  dies: fc.boolean(),
});

describe('whatever happens', () => {
  it('comes to the same documents in one go, in any batches with any restarts, and folded by hand', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, fc.array(aStretch, { maxLength: 12 }), async (story, stretches) => {
        const folder = dataFolder();
        try {
          const stores = folder.open();
          const made = nothingMade(aCommand);
          for (const ask of story) await ask(stores, made).catch(unlessRefused);
          await foldAll(stores, []);
          const inOneGo = await everything(stores.documents);
          await foldAll(stores, stretches);
          expect(await everything(stores.documents)).toEqual(inOneGo);
          const { events } = await stores.store.readAll({ after: -1n, limit: 10_000 });
          for (const each of all)
            expect(inOneGo[nameOf(each)]).toEqual(sorted(foldOf(each, events).values()));
        } finally {
          await folder.dispose();
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

/** Fills a new generation of every read model, in stretches and then to the end, and lets it serve. */
async function foldAll(
  stores: Stores,
  stretches: readonly { batchSize: number; batches: number; dies: boolean }[],
) {
  for (const each of all) {
    const { generation } = await stores.documents.build(each.collection, each.version);
    const open = () => stores.documents.writer(each.collection, generation);
    for (const stretch of stretches) await fold(stores, each, await open(), stretch);
    await fold(stores, each, await open(), { batchSize: 1_000, batches: Infinity, dies: false });
    await stores.documents.serve(nameOf(each), generation);
  }
}

/** Folds some batches and stops; or dies between writing the last one's documents and its checkpoint. */
async function fold(
  { store, documents }: Stores,
  each: AnyProjection,
  writer: CollectionWriter<object>,
  { batchSize, batches, dies }: { batchSize: number; batches: number; dies: boolean },
): Promise<void> {
  const stop = new AbortController();
  let written = 0;
  const counting = altered(documents, {
    commit: async (writes, checkpoint) => {
      written += 1;
      const last = written >= batches;
      await documents.commit(writes, last && dies ? writer.checkpoint : checkpoint);
      if (last) stop.abort();
    },
  });
  await foldLog(each, {
    store: altered(store, { subscribe: (options) => store.subscribe({ ...options, batchSize }) }),
    documents: counting,
    writer,
    signal: stop.signal,
  });
}
