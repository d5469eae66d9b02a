import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainEvent } from '../../src/events/catalogue.ts';
import { newEvent } from '../../src/events/new-event.ts';
import { eventsOfCorrelation, streamsOfCorrelation } from '../../src/projections/audit-correlation.ts';
import { auditEvents } from '../../src/projections/audit.ts';
import type { AnyProjection } from '../../src/projections/engine/read-model.ts';
import { NotYetVisible } from '../../src/projections/engine/read-your-writes.ts';
import { aCommand } from '../support/context.ts';
import { foldLog } from '../support/fold-log.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

const correlation = randomUUID();
const reactivated: DomainEvent = { type: 'ResourceReactivated', data: {} };

/** Appends so many events to the stream of a record. */
async function append(record: string, count: number, correlationId = correlation): Promise<void> {
  const context = aCommand({ correlationId });
  const stream = `resource-${record}`;
  const events = Array.from({ length: count }, (_, index) => newEvent(stream, reactivated, index, context));
  await stores.store.append(stream, events, 'any');
}

async function buildIndex(): Promise<void> {
  const { documents } = stores;
  await documents.build(auditEvents.collection, 1);
  const writer = await documents.writer(auditEvents.collection, 1);
  await foldLog(auditEvents as unknown as AnyProjection, { ...stores, writer });
  await documents.serve(auditEvents.collection.name, 1);
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const places = (events: readonly { readonly stream: string; readonly revision: number }[]) =>
  events.map(({ stream, revision }) => `${stream}@${revision}`);

test('all events of a correlation are found in the order of the log, over many pages, and no others', async () => {
  await append('one', 1_700);
  await append('other', 5, randomUUID());
  await append('two', 1_500);
  await append('one', 3);
  await buildIndex();
  const wait = { upTo: await stores.store.head(), timeoutMs: 0 };
  const found = await listed(eventsOfCorrelation(stores.documents, correlation, wait));
  const revisions = (record: string, from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `resource-${record}@${from + n}`);
  expect(places(found)).toEqual([
    ...revisions('one', 0, 1_700),
    ...revisions('two', 0, 1_500),
    ...revisions('one', 1_700, 3),
  ]);
  expect(found.map(({ position }) => position)).toEqual(
    found.map(({ position }) => position).sort((one, next) => one - next),
  );
});

test('each stream of a correlation comes once, with its first event of the correlation', async () => {
  await append('one', 2, randomUUID());
  await append('two', 1_200);
  await append('one', 3);
  await append('two', 1);
  await buildIndex();
  const wait = { upTo: await stores.store.head(), timeoutMs: 0 };
  const found = await listed(streamsOfCorrelation(stores.documents, correlation, wait));
  expect(places(found)).toEqual(['resource-two@0', 'resource-one@2']);
});

test('what is recorded after the position is left out', async () => {
  await append('one', 2);
  const upTo = await stores.store.head();
  await append('one', 2);
  await buildIndex();
  const found = eventsOfCorrelation(stores.documents, correlation, { upTo, timeoutMs: 0 });
  expect(places(await listed(found))).toEqual(['resource-one@0', 'resource-one@1']);
});

test('the index is waited for, and a late one is no empty answer', async () => {
  await append('one', 1);
  await buildIndex();
  await append('one', 1);
  const upTo = await stores.store.head();
  const late = eventsOfCorrelation(stores.documents, correlation, { upTo, timeoutMs: 10 });
  await expect(late.next()).rejects.toThrow(NotYetVisible);

  const waiting = listed(eventsOfCorrelation(stores.documents, correlation, { upTo, timeoutMs: 20_000 }));
  const writer = await stores.documents.writer(auditEvents.collection, 1);
  await foldLog(auditEvents as unknown as AnyProjection, { ...stores, writer });
  expect(places(await waiting)).toEqual(['resource-one@0', 'resource-one@1']);
});
