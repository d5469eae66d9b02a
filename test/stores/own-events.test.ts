import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { NewEvent, RecordedEvent } from '../../src/stores/event-store/port.ts';
import { dataFolder, installation, type DataFolder, type Stores } from '../support/stores.ts';
import { until } from '../support/until.ts';

let folder: DataFolder;
let stores: Stores;

beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

const anEvent = (by?: string, rest: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'TeamCreated',
  data: {},
  metadata: { commonweal_schema: 1, ...(by === undefined ? {} : { installation: by }) },
  ...rest,
});
const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);
const filter = { types: ['TeamCreated'] };

describe('a store that shows one installation’s events', () => {
  let ours: NewEvent[];
  let theirs: NewEvent[];

  /** Another installation's events, some without an id, another product's, and ours between them. */
  beforeEach(async () => {
    const { wholeLog, store } = stores;
    const neighbour = randomUUID();
    ours = [anEvent(), anEvent(), anEvent()];
    theirs = [anEvent(neighbour), anEvent(), anEvent(), anEvent(neighbour)];
    const product = anEvent(undefined, { metadata: { by: 'another product' } });
    await wholeLog.append('north.team-a', [theirs[0] as NewEvent], 'any');
    await store.append('team-a', [ours[0] as NewEvent], 'any');
    await wholeLog.append('north.team-b', [theirs[1] as NewEvent], 'any');
    await wholeLog.append('orders-1', [theirs[2] as NewEvent, product], 'any');
    await store.append('team-b', [ours[1] as NewEvent], 'any');
    await wholeLog.append('team-a', [theirs[3] as NewEvent], 'any');
    await store.append('team-c', [ours[2] as NewEvent], 'any');
    theirs.push(product);
  });

  it('reads, page by page, what is its own, and its position passes the rest', async () => {
    const seen: RecordedEvent[] = [];
    for (let after = -1n; ;) {
      const page = await stores.store.readAll({ after, filter, limit: 2 });
      if (page.position === after) break;
      after = page.position;
      seen.push(...page.events);
    }
    expect(idsOf(seen)).toEqual(idsOf(ours));
    expect(await stores.store.head()).toBe(8n);
  });

  it('reads of a stream what is its own', async () => {
    expect(idsOf(await stores.store.readStream('team-a'))).toEqual(idsOf(ours.slice(0, 1)));
    expect(await stores.store.readStream('north.team-b')).toEqual([]);
  });

  it('hands a subscriber what is its own, and tells what was passed over', async () => {
    const stop = new AbortController();
    const seen: RecordedEvent[] = [];
    const foreign: RecordedEvent[] = [];
    for await (const batch of stores.store.subscribe({ after: -1n, signal: stop.signal })) {
      seen.push(...batch.events);
      foreign.push(...(batch.foreign ?? []));
      if (batch.position === 8n) stop.abort();
    }
    expect(idsOf(seen)).toEqual(idsOf(ours));
    expect(idsOf(foreign).sort()).toEqual(idsOf(theirs).sort());
  });

  it('hands a consumer group what is its own, with a verdict for each', async () => {
    const stop = new AbortController();
    const handled: string[] = [];
    const consuming = stores.store.consume('group', {
      filter,
      signal: stop.signal,
      maximumAttempts: 2,
      handle: async (consumed) => {
        handled.push(...consumed.map(({ event }) => event.id));
        return consumed.map(({ event }) =>
          event.id === ours[1]?.id ? { kind: 'park', reason: 'cannot be read' } : { kind: 'ack' },
        );
      },
    });
    await until(() => handled.length === 3);
    const parked = await until(async () => {
      const found = await stores.store.parked('group');
      return found.length > 0 && found;
    });
    stop.abort();
    await consuming;
    expect(handled).toEqual(idsOf(ours));
    expect(parked.map(({ event }) => event.id)).toEqual([ours[1]?.id]);
  });

  it('counts what is its own, as far as asked', async () => {
    expect(await stores.store.count({ after: -1n, filter })).toBe(3);
    expect(await stores.store.count({ after: 2n, filter })).toBe(2);
    expect(await stores.store.count({ after: -1n, atMost: 2 })).toBe(2);
    expect(await stores.wholeLog.count({ after: -1n, filter })).toBe(8);
  });

  it('marks what it appends', async () => {
    const [event] = await stores.store.readStream('team-c');
    expect(event?.metadata).toEqual({ commonweal_schema: 1, installation });
  });
});
