import { EventStoreDBClient, START, streamNameFilter } from '@eventstore/db-client';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { projections } from '../src/projections/all.ts';
import { filterOf, modelOf, nameOf, type AnyProjection } from '../src/projections/engine/read-model.ts';
import { foldLog } from '../test/support/fold-log.ts';
import type { Documents } from '../src/stores/documents/port.ts';
import { beginning, type EventStore, type Position } from '../src/stores/event-store/port.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { inWords, median, type Row } from './measure.ts';
import { seedResources } from './seed.ts';
import { freshDatabase, freshName, masterKey, mongoUrl } from './servers.ts';

const rounds = 3;

const resources = projections.find((each) => modelOf(each) === 'resources') as AnyProjection;

/** The rate of one measured run, and what it cost this process. */
interface Pace {
  readonly rate: number;
  /** Microseconds of CPU an event. */
  readonly cpu: number;
}

/**
 * Events a second from EventStoreDB into the read model of resources, indexes included, against a subscription
 * by the client library with the same filter that counts them and does nothing else.
 */
export async function projectionRows(url: string, seeded: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const namespace = freshName();
  const settings = {
    DATA_DIR: folder.path,
    EVENTSTORE_URL: url,
    EVENTSTORE_NAMESPACE: namespace,
    MASTER_KEY: masterKey,
  };
  const embedded = await openSystem(readConfig(settings));
  const database = mongoUrl === undefined ? undefined : freshDatabase();
  const mongo = database && (await openSystem(readConfig({ ...settings, MONGODB_URL: database.url })));
  const client = EventStoreDBClient.connectionString(url);

  // What others have in the same log lies before this, and is nobody's to measure.
  const from = await embedded.store.head();
  await seedResources(embedded.store, 'commons', seeded);
  const events = await embedded.store.count({ after: from });
  // The first append also gives the installation its id.
  const folded = await embedded.store.count({ after: from, ...filterOf(resources) });
  const places: [string, Documents | undefined][] = [
    ['nowhere', undefined],
    ['embedded documents', embedded.documents],
    ...(mongo ? [['MongoDB', mongo.documents] satisfies [string, Documents]] : []),
  ];
  const paces = new Map(places.map(([name]) => [name, [] as Pace[]]));
  const raw: Pace[] = [];
  for (let round = 0; round < rounds; round++) {
    raw.push(await paced(events, () => countRaw(client, namespace, from, events)));
    for (const [name, documents] of places) {
      let built: number | undefined;
      const work = documents
        ? async () => {
            built = await build(embedded.store, documents, from);
          }
        : () => subscribed(embedded.store, from, folded);
      paces.get(name)?.push(await paced(events, work));
      if (documents && built !== undefined) await documents.drop(nameOf(resources), built);
    }
  }
  await mongo?.close();
  await database?.drop();
  await embedded.close();
  await client.dispose();
  folder.remove();

  const rate = (of: readonly Pace[]) => median(of.map((each) => each.rate));
  const cpu = (of: readonly Pace[]) => median(of.map((each) => each.cpu));
  return places.flatMap(([name, documents]) => {
    const ours = paces.get(name) ?? [];
    const what = documents
      ? `resources into ${name}, ${inWords(events)} events`
      : `the port's subscription, ${inWords(events)} events`;
    return [
      {
        what: `${what}: events/s ÷ raw catch-up that counts`,
        baseline: rate(raw),
        ours: rate(ours),
        aim: documents ? '≥ 0.7' : '',
      },
      {
        what: `${what}: client CPU an event (µs) ÷ raw catch-up`,
        baseline: cpu(raw),
        ours: cpu(ours),
        aim: '',
      },
    ];
  });
}

async function paced(events: number, work: () => Promise<void>): Promise<Pace> {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  return { rate: (events / took) * 1_000, cpu: (user + system) / events };
}

/** The client library alone. */
export function countRaw(
  client: EventStoreDBClient,
  namespace: string,
  after: Position,
  events: number,
): Promise<void> {
  const subscription = client.subscribeToAll({
    fromPosition: after === beginning ? START : { commit: after, prepare: after },
    filter: streamNameFilter({ prefixes: [`${namespace}.`] }),
  });
  return new Promise((resolve, reject) => {
    let seen = 0;
    subscription.on('error', reject);
    subscription.on('data', () => {
      if (++seen === events) subscription.unsubscribe().then(resolve, reject);
    });
  });
}

/** Our subscription alone, folding nothing. */
async function subscribed(store: EventStore, after: Position, events: number): Promise<void> {
  const done = new AbortController();
  const options = { after, ...filterOf(resources), signal: done.signal, batchSize: 5_000 };
  let seen = 0;
  for await (const batch of store.subscribe(options)) {
    seen += batch.events.length;
    if (seen === events) break;
  }
}

/** One generation from where the log was empty of ours to its end, indexes included; answers its number. */
async function build(store: EventStore, documents: Documents, from: Position): Promise<number> {
  const { generation } = await documents.build(resources.collection, resources.version);
  const writer = await documents.writer(resources.collection, generation);
  await writer.write([], from);
  await foldLog(resources, { store, documents, writer });
  await writer.finish();
  return generation;
}
