import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  Installation,
  installationOf,
  isFromBeforeRelease,
  ensureInstallationId,
} from '../../src/commands/installation.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { OwnEvents } from '../../src/stores/event-store/own-events.ts';
import { aCommand } from '../support/context.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

let folder: DataFolder;
let stores: Stores;

beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

const everything = async () => (await stores.wholeLog.readAll({ after: -1n, limit: 1_000 })).events;
const createTeam = (store: OwnEvents, team: string) =>
  commandTeam(store, { kind: 'create', team, name: team }, aCommand());

it('the first append to a log names the installation, and every event carries its id', async () => {
  const installation = new Installation(stores.wholeLog, () => stores.vault);
  expect(await installation.id()).toBeUndefined();
  await createTeam(new OwnEvents(stores.wholeLog, installation), 'harbour');
  const id = await installation.id();
  const events = await everything();
  expect(events.map(({ type }) => type)).toEqual(['InstallationNamed', 'TeamCreated']);
  expect(events[0]?.data).toEqual({ installation: id });
  expect(events.map(({ metadata }) => metadata['installation'])).toEqual([id, id]);
});

it('of processes that name one log at once, all hold by the same id', async () => {
  const openings = Array.from({ length: 8 }, () => folder.open());
  const ids = await Promise.all(openings.map(({ wholeLog, vault }) => ensureInstallationId(wholeLog, vault)));
  expect(new Set(ids).size).toBe(1);
  expect(await everything()).toHaveLength(1);
  expect(await installationOf(stores.wholeLog)).toBe(ids[0]);
  expect(await stores.vault.names('installation/')).toEqual([`installation/${ids[0] ?? ''}`]);
});

it('a development version began the log when its first team has no installation', async () => {
  expect(await isFromBeforeRelease(stores.wholeLog)).toBe(false);
  const old = { id: crypto.randomUUID(), type: 'TeamCreated', data: { team: 'commons', name: 'Commons' } };
  await stores.wholeLog.append('team-commons', [{ ...old, metadata: { commonweal_schema: 1 } }], 'no_stream');
  expect(await isFromBeforeRelease(stores.wholeLog)).toBe(true);
});

it('one that reads a log before anybody named it learns the id with the first event that carries it', async () => {
  const reader = new OwnEvents(stores.wholeLog, new Installation(stores.wholeLog, () => stores.vault));
  const stop = new AbortController();
  const types: string[] = [];
  const reading = (async () => {
    for await (const { events } of reader.subscribe({ after: -1n, signal: stop.signal })) {
      types.push(...events.map(({ type }) => type));
      if (types.includes('TeamCreated')) stop.abort();
    }
  })();
  const writer = folder.open();
  await createTeam(
    new OwnEvents(writer.wholeLog, new Installation(writer.wholeLog, () => writer.vault)),
    'harbour',
  );
  await reading;
  expect(types).toEqual(['InstallationNamed', 'TeamCreated']);
});
