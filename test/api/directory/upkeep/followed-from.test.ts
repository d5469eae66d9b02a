import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { commandSource } from '../../../../src/commands/directory/source.ts';
import {
  commandFollowing,
  followingOf,
  recordRead,
} from '../../../../src/commands/directory/upkeep/following.ts';
import { noCounts } from '../../../../src/imports/followed/apply-entries.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import { context } from '../../harness.ts';

let system: Dashboard;
beforeAll(async () => {
  system = await startDashboard();
});
afterAll(() => system.stop());

const recordIn = (source: string, hours: string | undefined) => ({
  team: 'harbour',
  fields: { name: 'Valley Pantry', category: 'food', hours: 'Mon' } as const,
  ...{ approve: true, active: true, checked: true as const },
  source: { system: source, id: 'r_1', origin: { directory: source, svc_id: 'r_0123456789abcdef' } },
  ...(hours === undefined ? {} : { sourceConfirmed: { hours } }),
});

/** A record of a followed directory, which its team has given a name. */
async function recordFrom(source: string, name: string | undefined, hours?: string): Promise<string> {
  const { store } = system.system;
  const of = { team: 'harbour', source };
  const at = { ...context(), at: new Date('2026-03-03T10:00:00Z') };
  const vkey = `${source}+1b2c3d4e+${'A'.repeat(44)}`;
  const data = { ...of, address: 'https://valley.example', vkey, approve: true };
  await commandFollowing(store, of, { kind: 'begin', data }, at);
  if (name !== undefined) await commandSource(store, { kind: 'name', ...of, name }, at);
  const { state } = await importResource(system.system, recordIn(source, hours), at);
  const following = await followingOf(store, of);
  if (!following) throw new Error('It is followed.');
  const read = {
    ...of,
    ...{ import: randomUUID(), cursor: 'c', entries: 1, ours: 0, counts: noCounts, checkpoint: 'signed' },
    answer_sha256: '0'.repeat(64),
  };
  await recordRead(store, following, { after: undefined, data: read }, { ...at, commandId: randomUUID() });
  await system.caughtUp();
  return state?.svc_id ?? '';
}
const open = async (svcId: string, lang: string) =>
  (await system.server.inject(`/r/${svcId}?lang=${lang}`)).body.replaceAll(/\s+/g, ' ');

test('the page of a record says from which followed directory it came, and when that was read last', async () => {
  const svcId = await recordFrom('valley.example/audit/log', 'Valley Directory');
  expect(await open(svcId, 'en')).toContain('From Valley Directory, read on March 3, 2026.');
  expect(await open(svcId, 'es')).toContain('De Valley Directory, leído el 3 de marzo de 2026.');
  expect(await open(svcId, 'ht')).toContain('Soti nan Valley Directory, yo li l: 3 mas 2026.');
  expect(await open(svcId, 'en')).not.toContain('valley.example');
});

test('says nothing without a name, or where the name is an address', async () => {
  for (const name of [undefined, 'https://coast.example/feed?key=secret', 'ana@coast.example']) {
    const svcId = await recordFrom(`coast-${name?.length ?? 0}.example/audit/log`, name);
    const page = await open(svcId, 'en');
    expect(page).toContain('Valley Pantry');
    expect(page).not.toMatch(/coast|secret|read on/);
  }
  const [own = ''] = await system.resources(1, { team: 'harbour' });
  expect(await open(own, 'en')).not.toContain('read on');
});

test('what was confirmed there of a part stands by itself, with the name of that directory, and the feed lists it again', async () => {
  const source = 'hill.example/audit/log';
  const svcId = await recordFrom(source, 'Hill Directory', '2026-03-01');
  const key = await system.key({ scopes: ['resources:read'] });
  const get = async (path: string) =>
    (await system.server.inject({ url: `/dash/api/v1${path}`, headers: key.bearer })).json<{
      confirmed?: object;
      updated_at: string;
      cursor: string;
      data: { svc_id: string; record: { confirmed: object } }[];
    }>();
  const before = await get(`/resources/${svcId}`);
  expect(before.confirmed).toEqual({ hours: { on: '2026-03-01', by: 'source' } });

  const { cursor } = await get('/changes?limit=100');
  await importResource(system.system, recordIn(source, '2026-03-02'), context());
  await system.caughtUp();
  const after = await get(`/resources/${svcId}`);
  expect(after.confirmed).toEqual({ hours: { on: '2026-03-02', by: 'source' } });
  const reviewer = await system.account();
  await system.member('harbour', reviewer, 'reviewer');
  const browser = await system.signedIn(reviewer);
  await browser.open(`/dash/resources/${svcId}?team=harbour`);
  expect(browser.text).toMatch(/Its opening hours, in Hill Directory: Confirmed or changed by its source/);
  expect(after.updated_at, 'nothing of the record was changed').toBe(before.updated_at);
  const listed = await get(`/resources?limit=100`);
  expect(listed.data.find((each) => each.svc_id === svcId)).toMatchObject({ confirmed: after.confirmed });
  const changes = await get(`/changes?limit=100&cursor=${cursor}`);
  expect(changes.data.map(({ svc_id, record }) => [svc_id, record.confirmed])).toEqual([
    [svcId, after.confirmed],
  ]);

  await system.command(svcId, { kind: 'revise', change: { hours: 'Tue' } });
  await system.caughtUp();
  expect((await get(`/resources/${svcId}`)).confirmed).toMatchObject({ hours: { by: 'team' } });
});
