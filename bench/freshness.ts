import { freshness, freshnessTrend } from '../src/actions/directory/upkeep/freshness.ts';
import { countRecords, dueRecords, pageOfRecords } from '../src/actions/directory/record-table.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { streamName } from '../src/events/define.ts';
import { resourceStream, type ResourceEvent } from '../src/events/directory/resource.ts';
import { integerId, svcIdOf, uuidOf } from '../src/events/ids.ts';
import { newEvent } from '../src/events/new-event.ts';
import { recordLookup } from '../src/projections/directory/record-lookup.ts';
import { resources } from '../src/projections/directory/resources.ts';
import { recordFreshness } from '../src/projections/directory/upkeep/record-freshness.ts';
import { project } from '../src/projections/engine/projector.ts';
import { nameOf, type AnyProjection } from '../src/projections/engine/read-model.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { alternate, inWords, type Row } from './measure.ts';
import { resourceFieldsOf } from './seed.ts';

const rounds = 15;
const team = 'bench';
const dayMs = 86_400_000;
/** Records are confirmed on so many days, and submitted on the day of their confirmation. */
const days = 1_000;
const now = new Date(Date.UTC(2026, 5, 1));
/** Streams appended at a time. */
const concurrency = 2_000;
const models = [recordLookup, recordFreshness, resources] as unknown as readonly AnyProjection[];

/**
 * CPU of the share of records that were confirmed lately, and of its year, each after one more record was confirmed, beside
 * counting over the index of a table, as it was before sums were kept. In microseconds.
 */
export async function freshnessRows(records: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const stop = new AbortController();
  try {
    for (let from = 0; from < records; from += concurrency)
      await Promise.all(
        Array.from({ length: Math.min(concurrency, records - from) }, (_, n) => submit(system, from + n)),
      );
    const projecting = project({ ...system, projections: models, signal: stop.signal });
    await seen(system);
    const { documents } = system;
    const of = { team, now, zone: 'UTC' };
    let confirmed = 0;
    const after = async (work: () => Promise<unknown>) => {
      await confirm(system, (confirmed += 7));
      await seen(system);
      const began = process.cpuUsage();
      await work();
      const { user, system: kernel } = process.cpuUsage(began);
      return user + kernel;
    };
    const counts = async () => {
      await countRecords(documents, { ...of, filter: { status: 'approved' } });
      await countRecords(documents, { ...of, filter: dueRecords.filter });
    };
    const row = async (what: string, ours: () => Promise<unknown>, aim: string): Promise<Row> => ({
      what: `${what} of ${inWords(records)} records after a change, CPU in µs ÷ counting`,
      ...(await alternate(
        rounds,
        () => after(counts),
        () => after(ours),
      )),
      aim,
    });
    const rows = [
      await row('share that was confirmed lately', () => freshness(documents, of), '≤ 20,000'),
      await row(
        'first page of those to confirm, with their number',
        async () =>
          pageOfRecords(documents, { ...of, ...dueRecords }, 1, (await freshness(documents, of)).due),
        '≤ 20,000',
      ),
      await row('its last year', () => freshnessTrend(documents, of), '≤ 20,000'),
    ];
    stop.abort();
    await projecting;
    return rows;
  } finally {
    stop.abort();
    await system.close();
    folder.remove();
  }
}

/** Resolves when both read models have all of the log. */
const seen = async ({ documents, store }: System): Promise<void> =>
  visible(documents, models.map(nameOf), await store.head(), 60 * 60_000);

const idAt = (index: number): number => integerId('bench', team, String(index));

async function append({ store }: System, index: number, at: Date, events: readonly ResourceEvent[]) {
  const stream = streamName(resourceStream, svcIdOf(idAt(index)));
  const commandId = uuidOf('bench', 'freshness', String(index), at.toISOString());
  const context = { actor: { kind: 'system', id: 'bench' } as const, commandId, at };
  await store.append(
    stream,
    events.map((event, n) => newEvent(stream, event, n, context)),
    'any',
  );
}

const announcedOf = (index: number) => {
  const { name, category } = resourceFieldsOf(index);
  return { svc_id: svcIdOf(idAt(index)), id: idAt(index), team, name, category };
};

function submit(system: System, index: number): Promise<void> {
  const at = new Date(now.getTime() - ((index * 7_919) % days) * dayMs);
  const last_modified = at.toISOString().slice(0, 10);
  const announced = announcedOf(index);
  const { svc_id, id } = announced;
  const fields = { ...resourceFieldsOf(index), last_modified };
  const source = { system: 'bench', id: String(index) };
  return append(system, index, at, [
    { type: 'ResourceSubmitted', data: { svc_id, id, team, fields, source } },
    { type: 'ResourceApproved', data: announced },
  ]);
}

const confirm = (system: System, index: number): Promise<void> =>
  append(system, index, now, [
    { type: 'ResourceConfirmed', data: { by: 'team', announced: announcedOf(index) } },
  ]);
