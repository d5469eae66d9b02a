import { afterAll, beforeAll, expect, test } from 'vitest';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { context, startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';

let running: RunningSystem;
let key: TestKey;
let reader: TestKey;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour', ['directory:manage']);
  key = await running.key({ kind: 'team', team: 'harbour', scopes: ['directory:manage'] });
  reader = await running.key();
});
afterAll(() => running.stop());

const today = new Date().toISOString().slice(0, 10);
const byTeam = { on: today, by: 'team' };
const bySource = { on: '2018-05', by: 'source' };

test('what the team changes of the phones, hours or places it has looked at, and not at the rest', async () => {
  const fields = {
    name: 'Harbour Pantry',
    category: 'food',
    last_modified: '2018-05',
    phones: [{ number: '305-555-0100' }],
    locations: [{ city: 'Homestead', hours: 'Mondays' }],
  } as const;
  const record = { team: 'harbour', source: { system: 'county', id: '1' }, active: true, approve: true };
  const { state } = await importResource(
    running.system,
    { ...record, fields: structuredClone(fields) as never },
    context(),
  );
  const url = `${v1}/${state?.svc_id}`;
  const confirmed = async () => {
    await running.caughtUp();
    const response = await running.server.inject({ url, headers: reader.bearer });
    return response.json<{ confirmed: unknown }>().confirmed;
  };
  const change = async (payload: object) => {
    const response = await running.server.inject({ method: 'PATCH', url, headers: key.bearer, payload });
    expect(response.statusCode).toBe(200);
  };
  expect(await confirmed()).toEqual(bySource);
  await change({ description: 'Food on Mondays.' });
  expect(await confirmed(), 'a description is no part that ages').toEqual(bySource);
  await change({ phones: [{ number: '305-555-0101' }] });
  expect(await confirmed()).toEqual({ ...bySource, phones: byTeam });
  await change({
    phones: [{ number: '305-555-0101' }],
    locations: [{ city: 'Homestead', hours: 'Tuesdays' }],
  });
  expect(await confirmed(), 'the hours of its place, not the place').toEqual({
    ...bySource,
    hours: byTeam,
    phones: byTeam,
  });

  // Its source says another number later: nobody has looked at that.
  const later = { ...structuredClone(fields), phones: [{ number: '305-555-0102' }] };
  await importResource(running.system, { ...record, fields: later as never, take: 'all' }, context());
  expect(await confirmed()).toMatchObject({ ...bySource, hours: byTeam });
  expect(await confirmed()).not.toHaveProperty('phones');
});
