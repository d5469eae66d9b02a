import { EventStoreDBClient } from '@eventstore/db-client';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { streamName } from '../src/events/define.ts';
import { newEvent } from '../src/events/new-event.ts';
import { projectionStream } from '../src/events/projection.ts';
import type { EventStore } from '../src/stores/event-store/port.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { writingFinishedRows } from './finished-rows.ts';
import { eachOf, serveCheckout, type Checkout, type Each } from './checkouts.ts';
import { inWords, median, perSecond, spreadOf, type Row } from './measure.ts';
import { eventsAPerson, seedMixedLog } from './mixed-log.ts';
import { untilIdle, untilReady, type ServerProcess } from './process.ts';
import { countRaw } from './projection-eventstoredb.ts';
import { freshName, masterKey } from './servers.ts';

const search = 'resource-search';

interface Site {
  readonly system: System;
  readonly server: ServerProcess;
  /** Every read model that the checkout has. */
  readonly names: readonly string[];
  /** Reads and parses all events, and does nothing with them. */
  readonly scan: () => Promise<void> | void;
  readonly views: string;
}

/** Events a second. */
interface Rates {
  readonly scan: number;
  readonly allButSearch: number;
  readonly search: number;
  /** The finished rows of all but search, written once and by hand. */
  readonly byHand: number;
}

/**
 * Events a second to build all read models anew, asked for at once, while the server runs, over a log of mixed events;
 * against reading and parsing each event once. Documents are embedded; the log is, too, without `eventStore`.
 */
export async function rebuildRows(
  measured: readonly Checkout[],
  size: number,
  { rounds, eventStore }: { readonly rounds: number; readonly eventStore?: string },
): Promise<Row[]> {
  const folder = temporaryFolder();
  const people = Math.ceil(size / eventsAPerson);
  const sites = await eachOf(measured, (checkout) =>
    startSite(checkout, join(folder.path, checkout.name), people, eventStore),
  );
  const turns = await eachOf(measured, async () => [] as Rates[]);
  const events = people * eventsAPerson;
  for (let round = 0; round < rounds; round++) {
    for (const { name } of measured) {
      const { system, names, scan, server, views } = sites[name] as Site;
      const rebuild = (some: readonly string[]) => perSecond(events, () => rebuilt(system.store, some));
      turns[name]?.push({
        scan: await perSecond(events, scan),
        allButSearch: await rebuild(names.filter((each) => each !== search)),
        search: await rebuild([search]),
        byHand: await perSecond(
          events,
          writingFinishedRows(views, (each) => each !== search),
        ),
      });
      await untilIdle(server);
    }
  }
  for (const { name } of measured) {
    await (sites[name] as Site).server.stop();
    await (sites[name] as Site).system.close();
  }
  folder.remove();
  return rowsOf(turns, events, eventStore === undefined ? 'embedded' : 'on EventStoreDB');
}

function rowsOf(turns: Each<Rates[]>, events: number, where: string): Row[] {
  const each = (of: readonly Rates[], value: keyof Rates) => of.map((rates) => rates[value]);
  const middle = (of: readonly Rates[], value: keyof Rates) => median(each(of, value));
  const row = (what: string, value: keyof Rates, aim: string): Row => ({
    what: `rebuild of ${what}, ${inWords(events)} events ${where}: events/s ÷ scan and parse`,
    baseline: middle(turns.ours, 'scan'),
    ours: middle(turns.ours, value),
    spread: spreadOf(each(turns.ours, value), each(turns.ours, 'scan')),
    ...(turns.before
      ? { before: middle(turns.before, value), beforeBaseline: middle(turns.before, 'scan') }
      : {}),
    aim,
  });
  return [
    row('all but search', 'allButSearch', '≥ 0.3'),
    row('search', 'search', ''),
    {
      what: `finished rows of all but search, written once by hand, ${inWords(events)} events: events/s ÷ scan and parse`,
      baseline: middle(turns.ours, 'scan'),
      ours: middle(turns.ours, 'byHand'),
      spread: spreadOf(each(turns.ours, 'byHand'), each(turns.ours, 'scan')),
      aim: '',
    },
  ];
}

async function startSite(
  checkout: Checkout,
  directory: string,
  people: number,
  eventStore: string | undefined,
): Promise<Site> {
  const namespace = freshName();
  const settings = {
    DATA_DIR: directory,
    ...(eventStore === undefined
      ? {}
      : { EVENTSTORE_URL: eventStore, EVENTSTORE_NAMESPACE: namespace, MASTER_KEY: masterKey }),
  };
  const system = await openSystem(readConfig(settings));
  const from = await system.store.head();
  await seedMixedLog(system.store, people);
  const events = await system.store.count({ after: from });
  const server = await serveCheckout(checkout, { ...settings, ROLES: 'projector' });
  await untilReady(server);
  await untilIdle(server);
  const scan =
    eventStore === undefined
      ? () => scanFile(join(directory, 'events.db'))
      : async () => {
          const client = EventStoreDBClient.connectionString(eventStore);
          await countRaw(client, namespace, from, events);
          await client.dispose();
        };
  const views = join(directory, 'views.db');
  return { system, server, scan, views, names: namesIn(views) };
}

/** Reads and parses every event of a log. */
export function scanFile(path: string): void {
  const raw = new DatabaseSync(path, { readOnly: true });
  for (const row of raw.prepare('SELECT * FROM events ORDER BY position').iterate()) {
    JSON.parse(row['data'] as string);
    JSON.parse(row['metadata'] as string);
  }
  raw.close();
}

/**
 * Looked up in the file: another checkout may have other read models than this one. Rebuilds are asked for by the name
 * of the read model, without the version that its collection's name carries.
 */
function namesIn(path: string): string[] {
  const views = new DatabaseSync(path, { readOnly: true });
  const rows = views.prepare('SELECT name FROM generations WHERE serving = 1').all();
  views.close();
  return [...new Set(rows.map(({ name }) => (name as string).replace(/-v\d+$/, '')))];
}

/** Asks for rebuilds as the command line does, all at once, and waits until the last one serves. */
export async function rebuilt(store: EventStore, names: readonly string[]): Promise<void> {
  const context = () => ({
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: crypto.randomUUID(),
    at: new Date(),
  });
  const after = await store.head();
  for (const name of names) {
    const stream = streamName(projectionStream, name);
    const event = { type: 'RebuildStarted', data: { projection: name } } as const;
    await store.append(stream, [newEvent(stream, event, 0, context())], 'any');
  }
  const waiting = new Set(names);
  const done = new AbortController();
  const filter = { types: ['GenerationSwitched'] };
  for await (const { events } of store.subscribe({ after, filter, signal: done.signal })) {
    for (const { data } of events) waiting.delete((data as { readonly projection: string }).projection);
    if (waiting.size === 0) return;
  }
}
