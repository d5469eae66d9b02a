import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import type { UnsealedFields } from '../../../src/events/directory/resource-fields.ts';
import { resourceSearch } from '../../../src/projections/directory/resource-search.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { modelNamed } from '../../../src/projections/engine/read-model.ts';
import { appending } from '../../support/append.ts';
import { until } from '../../support/until.ts';
import { context, legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';

let system: RunningSystem;
let key: TestKey;
/** A Tuesday: 10 am in New York, 9 am in Chicago, 5 am in Honolulu. */
const now = new Date('2026-11-24T15:00:00Z');
const fromNine: UnsealedFields['opening_hours'] = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:30', closes: '17:00' },
];
const records: readonly Partial<UnsealedFields>[] = [
  { name: 'Miami Desk', locations: [{ city: 'Miami', region: 'FL', postal_code: '33125' }] },
  { name: 'Pensacola Desk', locations: [{ city: 'Pensacola', region: 'FL' }] },
  { name: 'Honolulu Desk', locations: [{ latitude: 21.31, longitude: -157.86 }] },
  { name: 'Own Desk', time_zone: 'America/New_York', locations: [{ city: 'Honolulu', region: 'HI' }] },
  { name: 'Nowhere Desk', locations: [] },
  { name: 'Offset Desk', utc_offsets: ['-06:00'], locations: [{ region: 'TN' }] },
  { name: 'Hidden Desk', locations: [{ city: 'Miami', region: 'FL', street: '9 Lane', confidential: true }] },
];
const inNewYork = { environment: { TIME_ZONE: 'America/New_York' }, now: () => now };

beforeAll(async () => {
  system = await startSystem({ now: () => now });
  key = await system.key();
  await system.resources(records.length, {
    fields: (index) => ({ opening_hours: fromNine, hours: 'From half past nine', ...records[index] }),
  });
});
afterAll(() => system.stop());

type Server = RunningSystem['server'];
const openNow = async (server: Server) => {
  const { body } = await server.inject({ url: `${v1}?open_now=true`, headers: key.bearer });
  return (JSON.parse(body) as { data: { name: string }[] }).data.map(({ name }) => name).sort();
};
const byPlace = ['Hidden Desk', 'Miami Desk', 'Own Desk'];
const itemOf = async (server: Server, name: string, lang = 'en') => {
  const { body } = await server.inject(`/find?q=${encodeURIComponent(name)}&lang=${lang}`);
  return (body.split('<li class="result">').find((each) => each.includes(`>${name}<`)) ?? '').replace(
    /<[^>]*>|\s+/g,
    ' ',
  );
};
type Told = Readonly<Record<string, readonly (string | undefined)[]>>;
const inLegacy = async (server: Server, query = ''): Promise<Told> => {
  const { body } = await server.inject({
    url: `${legacy}?limit=500${query}`,
    headers: { 'x-api-key': key.key },
  });
  const { data } = JSON.parse(body) as { data: Record<string, string | undefined>[] };
  return Object.fromEntries(
    data.map((each) => [each['name'] ?? '', [each['time_zone'], each['hours_time_zone']]]),
  );
};

test('a record without a zone is open by the clock of its place, however it says where that is', async () => {
  expect(await openNow(system.server)).toEqual(byPlace);
  expect(await itemOf(system.server, 'Miami Desk')).toContain('Open until 5:00 pm');
  expect(await itemOf(system.server, 'Pensacola Desk')).toContain('opens 9:30 am today');
  expect(await itemOf(system.server, 'Honolulu Desk', 'es')).toContain('abre hoy a las 9:30');
  expect(await itemOf(system.server, 'Nowhere Desk')).toContain('From half past nine');
});

test('where its place has two zones, the distance from UTC that its source names tells which', async () => {
  expect(await itemOf(system.server, 'Offset Desk')).toContain('opens 9:30 am today');
  const later = await system.another({ now: () => new Date('2026-11-24T16:00:00Z') });
  expect(await openNow(later)).toContain('Offset Desk');
});

test('another TIME_ZONE gives other answers for those that depend on it, at once and without a rebuild', async () => {
  const eastern = await system.another(inNewYork);
  expect(await openNow(eastern)).toEqual([...byPlace, 'Nowhere Desk'].sort());
  expect(await itemOf(eastern, 'Nowhere Desk')).toContain('Open until 5:00 pm');
  const central = await system.another({ environment: { TIME_ZONE: 'America/Chicago' }, now: () => now });
  expect(await openNow(central)).toEqual(byPlace);
  expect(await itemOf(central, 'Nowhere Desk')).toContain('opens 9:30 am today');
});

test('the record keeps its facts: the widget is told the zone in a member of its own', async () => {
  for (const query of ['', '&q=desk']) {
    expect(await inLegacy(await system.another(inNewYork), query)).toEqual({
      'Miami Desk': [undefined, 'America/New_York'],
      'Pensacola Desk': [undefined, 'America/Chicago'],
      'Honolulu Desk': [undefined, 'Pacific/Honolulu'],
      'Own Desk': ['America/New_York', undefined],
      'Nowhere Desk': [undefined, 'America/New_York'],
      'Offset Desk': [undefined, 'America/Chicago'],
      'Hidden Desk': [undefined, 'America/New_York'],
    });
  }
  const { body } = await system.server.inject({ url: v1, headers: key.bearer });
  expect(body).not.toContain('hours_time_zone');
});

test('a rebuild gives the same answers', async () => {
  const generation = async (name: string) => (await system.system.documents.progress()).get(name)?.generation;
  const eastern = await system.another(inNewYork);
  const before = [await openNow(eastern), await inLegacy(eastern)];
  for (const { name } of [resourceSearch.collection, resources.collection]) {
    const model = modelNamed(name);
    const was = await generation(name);
    await appending(system.system.store, `projection-${model}`, {
      type: 'RebuildStarted',
      data: { projection: model },
    });
    await until(async () => (await generation(name)) !== was);
  }
  expect([await openNow(eastern), await inLegacy(eastern)]).toEqual(before);
});

test('the default of a team counts before that of the installation, from the moment it is set', async () => {
  const { system: at } = system;
  const eastern = await system.another(inNewYork);
  const set = async (timeZone: string | undefined) => {
    const { position } = await commandTeam(
      at.store,
      { kind: 'set-time-zone', team: 'commons', timeZone },
      context(),
    );
    await system.caughtUp(position);
  };
  await set('Pacific/Honolulu');
  expect(await openNow(eastern)).toEqual(byPlace);
  expect((await inLegacy(eastern))['Nowhere Desk']).toEqual([undefined, 'Pacific/Honolulu']);
  expect(await itemOf(eastern, 'Nowhere Desk')).toContain('opens 9:30 am today');
  await set(undefined);
  expect(await openNow(eastern)).toEqual([...byPlace, 'Nowhere Desk'].sort());
  expect((await inLegacy(eastern))['Nowhere Desk']).toEqual([undefined, 'America/New_York']);
});
