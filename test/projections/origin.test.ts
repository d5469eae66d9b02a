import { afterEach, beforeEach, expect, it } from 'vitest';
import { commandTeam, commons } from '../../src/commands/team.ts';
import { refuseOtherLog } from '../../src/projections/origin.ts';
import { uuidOf } from '../../src/events/ids.ts';
import { aCommand } from '../support/context.ts';
import { caughtUp, startProjector } from '../support/projector.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

let folders: DataFolder[];
let here: Stores;
let there: Stores;
const where = { log: 'the log', readModels: 'the views' };

beforeEach(() => {
  folders = [dataFolder(), dataFolder()];
  [here, there] = folders.map((folder) => folder.open()) as [Stores, Stores];
});
afterEach(async () => {
  for (const folder of folders) await folder.dispose();
});

const begin = ({ store }: Stores) =>
  commandTeam(store, { kind: 'create', ...commons }, aCommand({ commandId: uuidOf('commons') }));
const grow = ({ store }: Stores, team: string) =>
  commandTeam(store, { kind: 'create', team, name: team }, aCommand());

it('read models go with the log they were made from, again and again', async () => {
  await refuseOtherLog(here, where);
  await begin(here);
  for (let n = 0; n < 3; n++) await refuseOtherLog(here, where);
});

it('read models made from another log are refused, with what to do about it', async () => {
  await begin(here);
  await refuseOtherLog(here, where);
  // The same beginning, at another place: a log that was moved into a store with something in it.
  await there.store.append(
    'other-1',
    [{ id: crypto.randomUUID(), type: 'A', data: {}, metadata: {} }],
    'any',
  );
  await begin(there);
  const mixed = refuseOtherLog({ store: there.store, documents: here.documents }, where);
  await expect(mixed).rejects.toMatchObject({ code: 'incompatible' });
  await expect(mixed).rejects.toThrow(
    /^The read models \(the views\) were made from another log \(the log\)\. Remove them and start again/,
  );
});

it('read models that are ahead of the log are refused: it was restored from before them', async () => {
  await begin(here);
  for (const team of ['one', 'two']) await grow(here, team);
  await refuseOtherLog(here, where);
  const projector = startProjector(here);
  await caughtUp(here);
  await projector.stop();
  await begin(there);
  const restored = refuseOtherLog({ store: there.store, documents: here.documents }, where);
  await expect(restored).rejects.toThrow(/are ahead of the log/);
});
