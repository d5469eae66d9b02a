import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { ImportJobs } from '../../src/imports/import-jobs.ts';
import type { ImportState } from '../../src/imports/import-state.ts';
import { altered } from '../support/altered.ts';
import { aCommand } from '../support/context.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startProjector } from '../support/projector.ts';
import { dataFolder } from '../support/stores.ts';
import { until } from '../support/until.ts';

it('an import that is cancelled when its comparison has just ended is cancelled', async ({
  onTestFinished,
}) => {
  const folder = dataFolder();
  const stores = folder.open();
  const projector = startProjector(stores);
  const told = Promise.withResolvers<undefined>();
  // The end of the comparison is stored, and the process hears of it late.
  const side = altered(stores.side, {
    table: (name) => {
      const table = stores.side.table<never>(name);
      return altered(table, {
        put: async (id, value, until) => {
          await table.put(id, value, until);
          if ((value as Partial<ImportState>).phase === 'compared') await told.promise;
        },
      });
    },
  });
  const jobs = new ImportJobs({
    ...stores,
    side,
    config: { dataDir: folder.path },
    onFault: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    await jobs.stop();
    await projector.stop();
    await folder.dispose();
  });
  await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
  const [team, id] = ['harbour', '00000000-0000-4000-8000-000000000000'];
  const given = { id, team, file: 'services.json', approve: false, by: 'reviewer' };
  const services = [{ id: 'one', name: 'Corner Pantry', status: 'active' }];
  expect(await jobs.begin(given, Readable.from([Buffer.from(JSON.stringify(services))]))).toBe('begun');

  const compared = await until(async () => {
    const state = await jobs.get(team, id);
    return state?.phase === 'compared' && state;
  });
  const cancelling = jobs.cancel(compared, 'reviewer');
  told.resolve(undefined);
  await cancelling;
  expect((await jobs.get(team, id))?.phase).toBe('cancelled');
  expect(readdirSync(join(folder.path, 'import-files'))).toEqual([]);
});

it('an import that waits for its turn is cancelled through another node', async ({ onTestFinished }) => {
  const [folder, otherFolder] = [dataFolder(), temporaryFolder()];
  const stores = folder.open();
  const projector = startProjector(stores);
  const held = Promise.withResolvers<undefined>();
  const jobsIn = (dataDir: string) =>
    new ImportJobs({
      ...stores,
      config: { dataDir },
      rest: () => held.promise,
      onFault: (error) => {
        throw error;
      },
    });
  const [jobs, other] = [jobsIn(folder.path), jobsIn(otherFolder.path)];
  onTestFinished(async () => {
    held.resolve(undefined);
    await jobs.stop();
    await projector.stop();
    await folder.dispose();
    otherFolder.remove();
  });
  const services = JSON.stringify([{ id: 'one', name: 'Corner Pantry', status: 'active' }]);
  const id = '00000000-0000-4000-8000-000000000000';
  for (const team of ['first', 'second', 'third']) {
    await commandTeam(stores.store, { kind: 'create', team, name: 'Harbour' }, aCommand());
    const given = { id, team, file: 'services.json', approve: false, by: 'reviewer' };
    expect(await jobs.begin(given, Readable.from([Buffer.from(services)]))).toBe('begun');
  }
  const waiting = await other.get('third', id);
  expect(waiting?.phase).toBe('comparing');
  if (waiting) await other.cancel(waiting, 'reviewer');
  await jobs.tend();
  await until(async () => (await other.get('third', id))?.phase === 'cancelled');
  expect((await other.get('first', id))?.phase).toBe('comparing');
});
