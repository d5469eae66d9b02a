import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshness, freshnessTrend } from '../../../../src/actions/directory/upkeep/freshness.ts';
import type { ResourceEvent } from '../../../../src/events/directory/resource.ts';
import { newEvent } from '../../../../src/events/new-event.ts';
import { svcIdOf } from '../../../../src/events/ids.ts';
import {
  recordLookup,
  type RecordLookupDocument,
} from '../../../../src/projections/directory/record-lookup.ts';
import { recordFreshness } from '../../../../src/projections/directory/upkeep/record-freshness.ts';
import {
  nameOf,
  projected,
  type AnyProjection,
  type ProjectedEvent,
} from '../../../../src/projections/engine/read-model.ts';
import { DiffersFromLog, verifyWhole } from '../../../../src/projections/engine/rebuild/verification.ts';
import type { CollectionWriter } from '../../../../src/stores/documents/port.ts';
import type { RecordedEvent } from '../../../../src/stores/event-store/port.ts';
import { altered } from '../../../support/altered.ts';
import { foldOf } from '../../../support/fold.ts';
import { foldLog } from '../../../support/fold-log.ts';
import { documentsOf, sorted } from '../../../support/projector.ts';
import { aResource, pantryFields } from '../../../support/samples.ts';
import { dataFolder, type Stores } from '../../../support/stores.ts';

const model = recordFreshness as unknown as AnyProjection;
const teams = ['bay', 'harbour'] as const;
const beginning = Date.parse('2025-01-10T00:00:00Z');
const dayMs = 86_400_000;
const dayAt = (day: number) => new Date(beginning + day * dayMs).toISOString().slice(0, 10);

/** Dates that sources give: long ago, of a month, of days before and after the story, and far from all. */
const dates = ['0001', '2018', '2024-07', '2024-12-20', '2025-06-30', '2026-03-01', '9999-12-31'];
const fieldsOf = (date: number) => ({
  ...pantryFields,
  ...(dates[date] === undefined ? {} : { last_modified: dates[date] }),
});

/** One event of one of six records, some days after the one before. */
const aStep = fc.record({
  record: fc.nat({ max: 5 }),
  kind: fc.nat({ max: 13 }),
  date: fc.nat({ max: dates.length }),
  days: fc.constantFrom(0, 0, 1, 20, 90),
});
type AStep = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Any event at any time: what its rules forbid is folded as well. */
function eventOf({ record, kind, date }: AStep): ResourceEvent {
  const of = aResource(record + 1, teams[record % 2], fieldsOf(date));
  const { announced } = of;
  const merge = '7f7c1f0a-6a51-4a0a-9a68-0d8c3f7d2b11';
  const events: readonly ResourceEvent[] = [
    of.approved(),
    of.approved(),
    of.rejected('No.'),
    of.deactivated(),
    of.reactivated(),
    of.revised(fieldsOf(date)),
    of.taken(fieldsOf(date)),
    { type: 'ResourceConfirmed', data: { by: 'team', announced } },
    { type: 'ResourceConfirmed', data: { by: 'agency', announced } },
    { type: 'ResourceConfirmationLapsed', data: { confirmed: { on: '2018', by: 'source' }, announced } },
    { type: 'ResourceMerged', data: { merged_into: svcIdOf(9), merge, announced } },
    { type: 'ResourceUnmerged', data: { merge, status: 'approved', announced } },
    { type: 'ResourceUnmerged', data: { merge, status: 'submitted', announced } },
    { type: 'ResourcePersonErased', data: { person: merge } },
  ];
  return events[kind] as ResourceEvent;
}

/** Writes a story into the log. Returns its last day. */
async function write({ store }: Stores, story: readonly AStep[]): Promise<number> {
  const begun = new Set<number>();
  let day = 0;
  for (const step of story) {
    day += step.days;
    const of = aResource(step.record + 1, teams[step.record % 2], fieldsOf(step.date));
    const source = { system: 'county', id: String(step.record) };
    const events = [
      ...(begun.has(step.record) ? [] : [of.submitted(step.record % 3 === 0 ? {} : { source })]),
      eventOf(step),
    ];
    begun.add(step.record);
    const context = {
      actor: { kind: 'system', id: 'story' } as const,
      commandId: randomUUID(),
      at: new Date(`${dayAt(day)}T12:00:00Z`),
    };
    const stream = `resource-${of.svc_id}`;
    await store.append(
      stream,
      events.map((event, index) => newEvent(stream, event, index, context)),
      'any',
    );
  }
  return day;
}

/** What records said at the end of a day, by the rule of their table alone. */
function shareOn(events: readonly RecordedEvent[], team: string, day: string) {
  const docs = new Map<string, RecordLookupDocument>();
  for (const event of events.map(projected) as ProjectedEvent<ResourceEvent>[]) {
    if (event.metadata.at.slice(0, 10) > day) break;
    const id = recordLookup.idOf(event);
    const doc = recordLookup.fold(docs.get(id), event);
    if (doc) docs.set(id, doc);
  }
  const listed = [...docs.values()].filter((doc) => doc.team === team && doc.status === 'approved');
  const since = new Date(Date.parse(`${day}T00:00:00Z`) - 183 * dayMs).toISOString().slice(0, 10);
  return { day, listed: listed.length, due: listed.filter(({ verified }) => verified < since).length };
}

/** How folding goes on: this many events in a batch, this many batches, and what of the last one is written if it dies. */
const aStretch = fc.record({
  batchSize: fc.integer({ min: 1, max: 7 }),
  batches: fc.integer({ min: 1, max: 4 }),
  dies: fc.option(fc.constantFrom(0, 0.1, 0.3, 0.5, 0.7, 0.9, 1)),
});
type Stretch = typeof aStretch extends fc.Arbitrary<infer Value> ? Value : never;

/** Folds some batches and stops. One that dies has written a part of its last batch, as a store without transactions may. */
async function fold(
  { store, documents }: Stores,
  writer: CollectionWriter<object>,
  { batchSize, batches, dies }: Stretch,
): Promise<void> {
  const stop = new AbortController();
  let written = 0;
  const counting = altered(documents, {
    commit: async (writes, checkpoint) => {
      written += 1;
      if (written < batches) return documents.commit(writes, checkpoint);
      stop.abort();
      if (dies === null) return documents.commit(writes, checkpoint);
      const partly = writes.map((each) => {
        const count = Math.round(dies * each.changes.length);
        const inAnyOrder = each.changes.toSorted(
          (one, other) =>
            Number(other.first ?? false) - Number(one.first ?? false) || (one.id < other.id ? 1 : -1),
        );
        return { ...each, changes: inAnyOrder.slice(0, count) };
      });
      return documents.commit(partly, writer.checkpoint);
    },
  });
  await foldLog(model, {
    store: altered(store, { subscribe: (options) => store.subscribe({ ...options, batchSize }) }),
    documents: counting,
    writer,
    signal: stop.signal,
  });
}

const toTheEnd: Stretch = { batchSize: 1_000, batches: Infinity, dies: null };

async function built(stores: Stores, stretches: readonly Stretch[]) {
  const { documents } = stores;
  const { collection, version } = model;
  const { generation } = await documents.build(collection, version);
  const open = () => documents.writer(collection, generation);
  for (const stretch of [...stretches, toTheEnd]) await fold(stores, await open(), stretch);
  await documents.serve(nameOf(model), generation);
  return open();
}

describe('how many records were confirmed lately', () => {
  it('is what the records say, today and at the end of each month of a year, wherever a batch was interrupted', async () => {
    const stories = fc.tuple(fc.array(aStep, { minLength: 20, maxLength: 60 }), fc.array(aStretch));
    await fc.assert(
      fc.asyncProperty(stories, async ([story, stretches]) => {
        const folder = dataFolder();
        try {
          const stores = folder.open();
          const lastDay = await write(stores, story);
          const writer = await built(stores, stretches);
          const { events } = await stores.store.readAll({ after: -1n, limit: 10_000 });
          expect(await documentsOf(stores.documents, model)).toEqual(sorted(foldOf(model, events).values()));
          for (const team of teams) {
            for (const later of [0, 100, 250]) {
              const now = new Date(`${dayAt(lastDay + later)}T13:00:00Z`);
              const trend = await freshnessTrend(stores.documents, { team, now, zone: 'UTC' });
              for (const { day, ...shown } of trend)
                expect({ day, ...shown }).toEqual(shareOn(events, team, day));
              const { listed, due } = shareOn(events, team, now.toISOString().slice(0, 10));
              expect(await freshness(stores.documents, { team, now, zone: 'UTC' })).toEqual({ listed, due });
            }
          }
          await verifyWhole({
            store: stores.store,
            projection: model,
            writer,
            rest: async () => undefined,
          });
        } finally {
          await folder.dispose();
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('is found wrong by a verification of the read model', async () => {
    const folder = dataFolder();
    try {
      const stores = folder.open();
      await write(stores, [{ record: 1, kind: 0, date: 3, days: 0 }]);
      const writer = await built(stores, []);
      const parts = { store: stores.store, projection: model, writer, rest: async () => undefined };
      expect(await verifyWhole(parts)).toEqual({ documents: 6, verified: 6 });
      const sum = { team: 'harbour', kind: 'public', day: '', sum: 2 };
      const changes = [{ id: 'harbour/public/', doc: sum, position: 1_000n }];
      await stores.documents.commit([{ writer, changes }], writer.checkpoint);
      await expect(verifyWhole(parts)).rejects.toThrow(DiffersFromLog);
    } finally {
      await folder.dispose();
    }
  });
});
