import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandFollowing } from '../../../src/commands/directory/upkeep/following.ts';
import {
  followingStreamId,
  pauseReasons,
  type PauseReason,
} from '../../../src/events/directory/upkeep/following.ts';
import { FollowingContacts, neverRead } from '../../../src/imports/followed/following-contacts.ts';
import { statusFamilies } from '../../../src/runtime/operators/status-families.ts';
import { gatherStatus } from '../../../src/status/status.ts';
import { statusText } from '../../../src/status/status-text.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { context } from '../harness.ts';

let dash: Dashboard;
let operator: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
});
afterAll(() => dash.stop());

const followOne = async (host: string, answered_at?: string): Promise<void> => {
  const of = { team: 'harbour', source: `${host}/audit/log` };
  const vkey = `${of.source}+1b2c3d4e+${'A'.repeat(44)}`;
  const data = { ...of, address: `https://${host}`, vkey, approve: false };
  await commandFollowing(dash.system.store, of, { kind: 'begin', data }, context());
  if (answered_at === undefined) return;
  const contacts = new FollowingContacts(dash.system.side);
  await contacts.put(followingStreamId(of.team, of.source), { ...neverRead, answered_at }, new Date());
};
const pause = (host: string, why: PauseReason) =>
  commandFollowing(
    dash.system.store,
    { team: 'harbour', source: `${host}/audit/log` },
    { kind: 'pause', why },
    context(),
  );
const families = async () =>
  Object.fromEntries(
    statusFamilies(await gatherStatus(dash.system)).map(({ name, series }) => [name, series] as const),
  );

test('nothing is said of directories that nobody follows, though the metrics are there', async () => {
  expect(statusText(await gatherStatus(dash.system)).join('\n')).not.toContain('ollowed');
  await operator.open('/dash/operations');
  expect(operator.html).not.toContain('Followed directories');
  expect((await families())['commonweal_followed_directories']).toEqual([{ labels: {}, value: 0 }]);
});

test('how many are read and paused, why, and how long one is silent are in status, on the page and in metrics', async () => {
  await followOne('valley.example', '2026-12-01T08:00:00.000Z');
  await followOne('coast.example', '2026-12-01T07:00:00.000Z');
  for (const host of ['hills.example', 'lake.example', 'rest.example']) await followOne(host);
  await pause('hills.example', 'rewritten');
  await pause('lake.example', 'another-key');
  await pause('rest.example', 'team');
  await dash.caughtUp();
  const status = await gatherStatus(dash.system);
  const lines = statusText(status).join('\n');
  expect(lines).toContain(
    'Followed directories: 2 read, the longest silent one answered 2026-12-01T07:00:00.000Z; paused: rewritten 1, another-key 1, team 1',
  );
  // What its team has paused needs nobody.
  expect(lines).toContain(
    'WARNING followed directories: 2 directories that teams follow are paused (rewritten 1, another-key 1).',
  );
  await operator.open('/dash/operations');
  expect(operator.text).toContain('Followed directories 2 read, the longest silent one answered');
  expect(operator.text).toContain('2 directories that teams follow are paused (rewritten 1, another-key 1).');
  const found = await families();
  expect(found['commonweal_followed_directories_paused']).toEqual(
    pauseReasons.map((reason) => ({
      labels: { reason },
      value: ['rewritten', 'another-key', 'team'].includes(reason) ? 1 : 0,
    })),
  );
  expect(found['commonweal_followed_directories_answered_timestamp_seconds']).toEqual([
    { labels: {}, value: Date.parse('2026-12-01T07:00:00Z') / 1_000 },
  ]);
  for (const text of [JSON.stringify(status), JSON.stringify(found), lines])
    expect(text).not.toMatch(/valley|coast|hills|harbour/);
});
