import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findRecords, type AskedRecords } from '../../src/api/directory/dash/find-records.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { recordLookup } from '../../src/projections/directory/record-lookup.ts';
import { resources } from '../../src/projections/directory/resources.ts';
import { nameOf, type AnyProjection } from '../../src/projections/engine/define.ts';
import { project } from '../../src/projections/engine/projector.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { aCommand } from '../support/context.ts';
import { temporaryFolder } from '../support/folder.ts';
import { mongodbUrl, testDatabase, withoutMongodb } from '../support/mongodb.ts';

const asked: readonly Omit<AskedRecords, 'team'>[] = [
  { words: 'pantry' },
  { words: 'PANT cannery' },
  { words: '7 cannery' },
  { words: 'shelter', status: 'submitted' },
  { category: 'food', status: 'approved' },
  { words: 'cannerz' },
];

const fieldsOf = (index: number) => ({
  name: index === 7 ? 'Pantry' : `${index % 2 ? 'Pantry' : 'Shelter'} ${index}`,
  category: index % 3 === 0 ? ('food' as const) : ('other' as const),
  locations: [{ street: `${index} Cannery Row` }],
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

/** The names of what is found for each question. */
async function answers(environment: Readonly<Record<string, string>>): Promise<string[][]> {
  const folder = temporaryFolder();
  const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...environment }));
  const { store, documents, side, leases } = system;
  const stopping = new AbortController();
  const models = [resources, recordLookup] as readonly unknown[] as readonly AnyProjection[];
  await fill(system);
  const ended = project({ store, documents, side, leases, projections: models, signal: stopping.signal });
  try {
    await visible(documents, models.map(nameOf), await store.head(), 120_000);
    const found: string[][] = [];
    for (const question of asked) {
      const names: string[] = [];
      for (let after: AskedRecords['after'], isLast = false; !isLast;) {
        const page = await findRecords(documents, { team: 'harbour', ...question, after });
        names.push(...page.rows.map(({ name }) => name));
        after = page.next;
        isLast = after === undefined;
      }
      // Numbers differ from one system to the other. What is called exactly so comes first.
      const [first = ''] = names;
      found.push([question.words === 'pantry' ? first : '', ...names.sort()]);
    }
    return found;
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
        expect(embedded[0]?.[0]).toBe('Pantry');
        expect(embedded.map(({ length }) => length)).toEqual([61, 61, 12, 31, 31, 1]);
      } finally {
        await database.dispose();
      }
    });
  },
);
