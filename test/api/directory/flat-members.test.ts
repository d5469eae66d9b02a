import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitionOf } from '../../../src/events/catalogue.ts';
import { commandResource } from '../../../src/commands/directory/resource.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { context, legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';
import { get, type ListBody } from './read.ts';

const svcId = 'r_5040000000000007';
const stream = `resource-${svcId}`;

/** A submission, an approval and a revision, all with a place and a phone as flat members had them. */
const log = [
  `{"type":"ResourceSubmitted","data":{"svc_id":"${svcId}","id":7,"team":"harbour","source":{"system":"miami","id":"1"},
    "fields":{"name":"Old Pantry","category":"food","locations":[{"city":"Tampa"}],"phones":[{"number":"305-555-0100"}]}}}`,
  `{"type":"ResourceApproved","data":{"svc_id":"${svcId}","id":7,"team":"harbour","name":"Old Pantry","category":"food"}}`,
  `{"type":"ResourceRevised","data":{"fields":{"name":"Harbour Pantry","category":"food",
    "description":"Groceries\\nweekly","url":"https://example.org/",
    "locations":[{"street":"1 Quay, 33101","city":"Miami","region":"FL"}],"phones":[{"number":"305-555-0100"}],
    "email":"help@example.org","hours":"Mo–Fr 9–17",
    "languages":["English","Kreyòl"],"eligibility":"Everybody"}}}`,
];

/** The members that existing clients know, in the developer tier. */
const before = {
  svc_id: svcId,
  name: 'Harbour Pantry',
  category: 'food',
  description: 'Groceries\nweekly',
  url: 'https://example.org/',
  city: 'Miami',
  region: 'FL',
  updated_at: '2026-01-01T00:02:00.000Z',
};
/** What the team tier adds. */
const forTeams = {
  phone: '305-555-0100',
  email: 'help@example.org',
  address: '1 Quay, 33101',
  hours: 'Mo–Fr 9–17',
  languages: ['English', 'Kreyòl'],
  eligibility: 'Everybody',
};
const { email, ...forAll } = forTeams;
const added = {
  locations: [{ street: '1 Quay, 33101', city: 'Miami', region: 'FL' }],
  phones: [{ number: '305-555-0100' }],
};

describe('a record of one place and one phone', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let team: TestKey;
  let manager: TestKey;

  beforeAll(async () => {
    const folder = temporaryFolder();
    const old = await openSystem(readConfig({ DATA_DIR: folder.path }));
    await commandTeam(old.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, context());
    const scopes = ['directory:manage'] as const;
    await commandTeam(old.store, { kind: 'enable-scopes', team: 'harbour', scopes }, context());
    for (const [minute, text] of log.entries()) {
      const { type, data } = JSON.parse(text) as { type: string; data: object };
      const commandId = crypto.randomUUID();
      const metadata = {
        commonweal_schema: definitionOf(type)?.version,
        actor: { kind: 'system', id: 'cli' },
        command_id: commandId,
        correlation_id: commandId,
        causation_id: commandId,
        at: `2026-01-01T00:0${minute}:00.000Z`,
      };
      await old.store.append(stream, [{ id: crypto.randomUUID(), type, data, metadata }], 'any');
    }
    await old.close();

    system = await startSystem({}, folder);
    developer = await system.key();
    team = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    manager = await system.key({
      kind: 'team',
      team: 'harbour',
      scopes: ['resources:read', 'directory:manage'],
    });
  });
  afterAll(() => system.stop());

  const list = async (query: string, { bearer }: TestKey) =>
    (await get(system.server, `${v1}${query}`, bearer)).json<ListBody>().data;

  test('is listed with the flat members of the interface, beside its locations and phones', async () => {
    expect(await list('', developer)).toEqual([{ ...before, ...forAll, ...added }]);
    expect(await list('', team)).toEqual([{ ...before, ...forTeams, ...added }]);
    expect(await list('?category=food&updated_since=2026-01-01T00:02:00Z', developer)).toHaveLength(1);
    const old = await get(system.server, legacy, { 'x-api-key': team.key });
    expect(old.json()).toEqual({ data: [{ ...before, ...forAll, ...added }], has_more: false, total: 1 });
  });

  test('is read one by one, and its management sees its status', async () => {
    const one = await get(system.server, `${v1}/${svcId}`, developer.bearer);
    expect(one.json()).toEqual({ ...before, ...forAll, ...added });
    const managed = await get(system.server, `${v1}/${svcId}`, manager.bearer);
    expect(managed.json()).toEqual({
      ...before,
      ...forTeams,
      ...added,
      team: 'harbour',
      status: 'approved',
      submitted_at: '2026-01-01T00:00:00.000Z',
      review_note: null,
    });
  });

  test('is found by the words by which it was found, by its address and eligibility too, and by nothing else', async () => {
    for (const words of ['harbour', 'miami fl', 'groceries', 'food', 'quay', '33101', 'everybody'])
      expect(await list(`?q=${encodeURIComponent(words)}`, developer), words).toHaveLength(1);
    for (const words of ['tampa', 'help', '17'])
      expect(await list(`?q=${words}`, developer), words).toHaveLength(0);
  });

  test('takes a change of a flat member, which is written as a location or a phone', async () => {
    const answer = await system.server.inject({
      method: 'PATCH',
      url: `${v1}/${svcId}`,
      headers: manager.bearer,
      payload: { phone: '305-555-0199' },
    });
    expect(answer.statusCode).toBe(200);
    const events = await system.system.store.readStream(stream);
    expect(events).toHaveLength(4);
    expect(events.at(-1)?.data).toMatchObject({
      fields: { ...added, phones: [{ number: '305-555-0199' }], email },
    });
    expect(await list('', developer)).toMatchObject([
      { ...before, ...forAll, phone: '305-555-0199', updated_at: expect.any(String) as string },
    ]);
    // A change that changes nothing writes nothing.
    const { events: none } = await commandResource(
      system.system,
      svcId,
      { kind: 'revise', change: { address: '1 Quay, 33101' } },
      context(),
    );
    expect(none).toEqual([]);
  });
});
