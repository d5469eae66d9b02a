import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RecordFilter } from '../../src/actions/directory/record-filter.ts';
import { freshness, freshnessTrend } from '../../src/actions/directory/upkeep/freshness.ts';
import { pageOfRecords, recordOrder } from '../../src/actions/directory/record-table.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { recordLookup } from '../../src/projections/directory/record-lookup.ts';
import { resources } from '../../src/projections/directory/resources.ts';
import { recordFreshness } from '../../src/projections/directory/upkeep/record-freshness.ts';
import { nameOf, type AnyProjection } from '../../src/projections/engine/read-model.ts';
import { project } from '../../src/projections/engine/projector.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { aCommand } from '../support/context.ts';
import { temporaryFolder } from '../support/folder.ts';
import { mongodbUrl, testDatabase, withoutMongodb } from '../support/mongodb.ts';

const now = new Date('2026-06-01T00:00:00Z');
/** Its commands are of January. */
const later = new Date('2026-10-15T00:00:00Z');

const asked: readonly RecordFilter[] = [
  { words: 'pantry' },
  { words: 'PANT cannery' },
  { words: '7 cannery' },
  { words: 'shelter', status: 'submitted' },
  { category: 'food', status: 'approved' },
  { words: 'cannerz' },
  { place: 'lakewood', verified: '2026-06-01' },
  { verified: 'never' },
  { changed: '2100-01-01' },
];

const orders = ['organization', '-name', 'kind', '-state', 'changed', 'verified', 'submitted'];

const fieldsOf = (index: number) => ({
  name: index === 7 ? 'Pantry' : `${index % 2 ? 'Pantry' : 'Shelter'} ${index}`,
  category: index % 3 === 0 ? ('food' as const) : ('other' as const),
  locations: [{ street: `${index} Cannery Row`, ...(index % 2 ? { city: 'Lakewood' } : {}) }],
});

/** Two teams with the same records, of which every fourth waits. */
async function fill({ store, personal }: System): Promise<void> {
  for (const team of ['harbour', 'library']) {
    await commandTeam(store, { kind: 'create', team, name: team }, aCommand());
    for (let index = 0; index < 120; index++) {
      const { state } = await submitResource(
        { store, personal },
        { team, fields: fieldsOf(index) },
        aCommand(),
      );
      if (index % 4 !== 0)
        await commandResource({ store, personal }, state?.svc_id ?? '', { kind: 'approve' }, aCommand());
    }
  }
}

/** The names of what is found for each question, and how many records are due, now and in the last year. */
async function answers(environment: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...environment }));
  const { store, documents, side, leases } = system;
  const stopping = new AbortController();
  const models = [resources, recordLookup, recordFreshness] as readonly unknown[] as readonly AnyProjection[];
  await fill(system);
  const ended = project({ store, documents, side, leases, projections: models, signal: stopping.signal });
  try {
    await visible(documents, models.map(nameOf), await store.head(), 120_000);
    const found: string[][] = [];
    for (const filter of asked) {
      for (const sort of [...orders, 'fit']) {
        const order = recordOrder.parse(sort) ?? { by: 'fit', descending: false };
        const names: string[] = [];
        for (let n = 1, pages = 1; n <= pages; n++) {
          const page = await pageOfRecords(documents, { team: 'harbour', filter, order, now }, n);
          pages = page.pages;
          names.push(...page.rows.map(({ name }) => name));
        }
        // Numbers differ from one system to the other, so only the order of the names is the same.
        if (sort === '-name') found.push(names);
        else
          found.push([sort === 'fit' && filter.words === 'pantry' ? (names[0] ?? '') : '', ...names.sort()]);
      }
    }
    const of = { team: 'harbour', now: later, zone: 'UTC' };
    return { found, share: await freshness(documents, of), trend: await freshnessTrend(documents, of) };
  } finally {
    stopping.abort();
    await ended;
    await system.close();
    folder.remove();
  }
}

describe.skipIf(mongodbUrl === undefined)(
  `a team that looks up its records on MongoDB${withoutMongodb}`,
  () => {
    it('finds the same as embedded', { timeout: 240_000 }, async () => {
      const database = testDatabase(mongodbUrl ?? '');
      try {
        const environment = { MONGODB_URL: database.url, MASTER_KEY: randomBytes(32).toString('base64') };
        const [embedded, onMongodb] = [await answers({}), await answers(environment)];
        expect(onMongodb).toEqual(embedded);
        expect(embedded.share).toEqual({ listed: 90, due: 90 });
        expect(embedded.trend).toHaveLength(10);
        expect(embedded.trend[0]).toMatchObject({ listed: 90, due: 0 });
        expect(embedded.found[orders.length]?.[0]).toBe('Pantry');
        const lengths = embedded.found
          .filter((_, index) => index % (orders.length + 1) === 1)
          .map(({ length }) => length);
        expect(lengths).toEqual([60, 60, 11, 30, 30, 0, 60, 30, 0]);
      } finally {
        await database.dispose();
      }
    });
  },
);
