import { afterEach, beforeEach, expect, test } from 'vitest';
import { submitResource } from '../../src/commands/directory/resource.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { projections } from '../../src/projections/all.ts';
import { modelOf } from '../../src/projections/engine/read-model.ts';
import { NotYetVisible } from '../../src/projections/engine/read-your-writes.ts';
import { untilShown, type Change } from '../../src/projections/until-shown.ts';
import { aCommand } from '../support/context.ts';
import { pantryFields } from '../support/samples.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

/** The read models that a change is waited for in, where none of them is at work. */
async function waitedFor(changes: Change | readonly Change[]): Promise<readonly string[]> {
  try {
    await untilShown(stores.documents, changes, 0);
    return [];
  } catch (error) {
    if (!(error instanceof NotYetVisible)) throw error;
    return [...error.names].sort();
  }
}

const created = () =>
  commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());

test('a command waits for the read models that fold what it appended, and for no others', async () => {
  expect(await waitedFor(await created())).toEqual(['teams']);
  const submitted = await submitResource(stores, { team: 'harbour', fields: pantryFields }, aCommand());
  const foldSubmissions = projections.filter(
    ({ events, awaited }) => awaited !== false && events.includes('ResourceSubmitted'),
  );
  expect(foldSubmissions.map(modelOf)).toContain('resources');
  expect(await waitedFor(submitted)).toEqual(foldSubmissions.map(modelOf).sort());
});

test('a command that appended nothing waits for every read model of its stream, up to what it read', async () => {
  const first = await created();
  const scopes = { kind: 'enable-scopes', team: 'harbour', scopes: [] } as const;
  const again = await commandTeam(stores.store, scopes, aCommand());
  expect(again.events).toEqual([]);
  expect(again.position).toBe(first.position);
  expect(await waitedFor(again)).toEqual(['invitations', 'members', 'teams']);
});

test('several changes are waited for together', async () => {
  const one = { types: ['TeamCreated'], position: 7n };
  const other = { types: ['ConsentRevoked', 'TeamCreated'], position: 3n };
  expect(await waitedFor([one, other])).toEqual(['consents', 'teams']);
  expect(await waitedFor([])).toEqual([]);
});

test('nothing waits for a read model that is not awaited', async () => {
  const unawaited = projections.filter(({ awaited }) => awaited === false);
  expect(unawaited.map(modelOf)).toContain('deliveries');
  expect(await waitedFor({ types: ['DeliveryScheduled', 'DeliverySucceeded'], position: 7n })).toEqual([]);
});
