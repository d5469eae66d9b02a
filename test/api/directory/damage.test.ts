import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resources } from '../../../src/projections/directory/resources.ts';
import { legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';

let system: RunningSystem;
let key: TestKey;
let svcId: string;
beforeAll(async () => {
  system = await startSystem();
  key = await system.key();
  [svcId = ''] = await system.resources(3);
});
afterAll(() => system.stop());

/** Alters the table of a read model by hand, as a failing device would. `altered`: SQL for the column's new value. */
function damage(column: 'card' | '_body', altered: string): void {
  const db = new DatabaseSync(join(system.folder, 'views.db'));
  const { generation } = db
    .prepare('SELECT generation FROM generations WHERE name = ? AND serving = 1')
    .get(resources.collection.name) as { generation: number };
  db.exec(`UPDATE "${resources.collection.name}.${generation}" SET ${column} = ${altered}`);
  db.close();
}

const answers = () => ({
  'a list': system.server.inject({ url: v1, headers: key.bearer }),
  'the legacy list': system.server.inject({ url: legacy, headers: { 'x-api-key': key.key } }),
  'a resource': system.server.inject({ url: `${v1}/${svcId}`, headers: key.bearer }),
});

test('a page is not made of records in which letters have changed', async () => {
  expect((await answers()['a list']).body).toContain('"city":"Springfield"');
  damage('card', `replace(card, 'Springfield', 'Springfeild')`);
  await system.resources(1);
  const { statusCode, body } = await answers()['a list'];
  expect(statusCode).toBe(503);
  expect(body).toContain('it is damaged');
  damage('card', `replace(card, 'Springfeild', 'Springfield')`);
  await system.resources(1);
  expect((await answers()['a list']).statusCode).toBe(200);
});

test('damage in a read model is never served as an answer, nor quoted', async () => {
  for (const [what, asked] of Object.entries(answers()))
    expect([what, (await asked).statusCode]).toEqual([what, 200]);
  for (const column of ['card', '_body'] as const) {
    damage(column, `substr(${column}, 1, length(${column}) - 3)`);
    // Another projection of another process commits: what was kept of the file is looked at anew.
    await system.resources(1);
    for (const [what, asked] of Object.entries(answers())) {
      const { statusCode, body, headers } = await asked;
      if (column === '_body' && what !== 'a resource') continue;
      expect([what, statusCode]).toEqual([what, 503]);
      if (what !== 'the legacy list') expect(headers['content-type']).toContain('application/problem+json');
      expect(body).toContain('it is damaged');
      expect(body).not.toContain('Springfield');
    }
  }
});
