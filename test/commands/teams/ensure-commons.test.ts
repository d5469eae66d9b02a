import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureCommons } from '../../../src/commands/teams/ensure-commons.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import { aCommand } from '../../support/context.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

/** Reads like the store, and takes nothing: as on a full disk, or while a transfer holds the log. */
const full = (store: EventStore): EventStore =>
  ({
    readStream: (...words: Parameters<EventStore['readStream']>) => store.readStream(...words),
    append: () => Promise.reject(new Error('nothing can be appended')),
  }) as unknown as EventStore;

it('the commons are made once, and after that a start appends nothing', async () => {
  await expect(ensureCommons(full(stores.store), aCommand())).rejects.toThrow('nothing can be appended');
  await ensureCommons(stores.store, aCommand());
  await ensureCommons(full(stores.store), aCommand());
  expect(await stores.store.readStream('team-commons')).toHaveLength(1);
});

it('commons that an operator has made under another name are left as they are', async () => {
  await commandTeam(stores.store, { kind: 'create', team: 'commons', name: 'Everybody' }, aCommand());
  await ensureCommons(full(stores.store), aCommand());
  expect(await stores.store.readStream('team-commons')).toMatchObject([{ data: { name: 'Everybody' } }]);
});
