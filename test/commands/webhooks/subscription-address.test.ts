import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadNewest } from '../../../src/commands/command-handler.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import {
  commandSubscription,
  createSubscription,
  rotateSecret,
  subscription,
} from '../../../src/commands/webhooks/subscription.ts';
import { addressHolder, openAddress } from '../../../src/commands/webhooks/subscription-address.ts';
import { hostOf } from '../../../src/events/webhooks/webhook.ts';
import { aCommand } from '../../support/context.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const url = 'https://hooks.example:8443/in/path-token?key=query-token';
const moved = 'https://hooks.example:8443/in/second-path-token';

let folder: DataFolder;
let stores: Stores;
beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
});
afterEach(() => folder.dispose());

const create = async (context = aCommand()) =>
  (
    await createSubscription(
      stores,
      { team: 'harbour', url, events: ['resource.approved'] },
      'whsec_x',
      context,
    )
  ).subscriptionId;
const change = (id: string, to: string) =>
  commandSubscription(stores, id, { kind: 'change-url', url: to }, aCommand());
const stateOf = async (id: string) => {
  const state = await loadNewest(stores.store, subscription, id);
  if (!state) throw new Error('There is no subscription.');
  return state;
};
const hasKey = async (id: string) => (await stores.vault.names(addressHolder(id))).length > 0;
/** All that the databases hold. Another process reads them: closing a handle here would drop the locks of SQLite. */
const everyByte = () =>
  execFileSync('sh', ['-c', 'cat *.db *.db-wal'], {
    cwd: folder.path,
    maxBuffer: 100_000_000,
    encoding: 'latin1',
  });

describe('the address of a subscription', () => {
  it('stands in no file but for its origin, and is opened whole', async () => {
    const id = await create();
    await commandSubscription(stores, id, { kind: 'pause' }, aCommand());
    await rotateSecret(stores, id, 'whsec_y', aCommand());
    await change(id, moved);
    const bytes = everyByte();
    expect(bytes).toContain('https://hooks.example:8443');
    for (const secret of ['path-token', 'query-token']) expect(bytes).not.toContain(secret);
    const state = await stateOf(id);
    expect(hostOf(state)).toBe('hooks.example:8443');
    expect(await openAddress(stores.personal, state)).toBe(moved);
  });

  it('is changed to another, and not to the same again', async () => {
    const id = await create();
    expect((await change(id, url)).events).toEqual([]);
    expect((await change(id, moved)).events).toHaveLength(1);
    expect((await change(id, moved)).events).toEqual([]);
  });

  it('can be opened by nobody once it is deleted, whatever is repeated or asked of it', async () => {
    const creation = aCommand();
    const id = await create(creation);
    const before = await stateOf(id);
    expect(await hasKey(id)).toBe(true);
    await commandSubscription(stores, id, { kind: 'delete' }, aCommand());
    await create(creation);
    await expect(change(id, moved)).rejects.toMatchObject({ code: 'not_found' });
    expect(await hasKey(id)).toBe(false);
    expect(await openAddress(stores.personal, before)).toBeUndefined();
    expect(await stateOf(id)).toMatchObject({ origin: 'https://hooks.example:8443', status: 'deleted' });
    expect(await stateOf(id)).not.toHaveProperty('url_sealed');
  });

  it('leaves no data key behind where there is no subscription', async () => {
    const nobody = '5f0c1a52-6d3f-5c55-9a8e-3c8f2f0c7a12';
    await expect(change(nobody, moved)).rejects.toMatchObject({ code: 'not_found' });
    const endless = `https://hooks.example/${'x'.repeat(2_000)}`;
    const id = await create();
    await expect(change(id, endless)).rejects.toMatchObject({ name: 'InvalidEvent' });
    expect(await stores.vault.names('webhook-subscription/')).toEqual([addressHolder(id)]);
  });

  it('that is changed and deleted at once leaves no data key behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await create();
      const both = [change(id, moved), commandSubscription(stores, id, { kind: 'delete' }, aCommand())];
      for (const done of await Promise.allSettled(both))
        if (done.status === 'rejected') expect(done.reason).toMatchObject({ code: 'not_found' });
      expect(await hasKey(id)).toBe(false);
    }
  });

  it('whose data key was lost with the vault is entered anew', async () => {
    const id = await create();
    await stores.personal.discard(addressHolder(id));
    expect(await openAddress(stores.personal, await stateOf(id))).toBeUndefined();
    await change(id, url);
    expect(await openAddress(stores.personal, await stateOf(id))).toBe(url);
  });
});
