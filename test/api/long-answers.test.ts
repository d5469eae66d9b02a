import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureLogKey } from '../../src/audit/proof-log/format/log-key.ts';
import { logName, signLog } from '../audit/signed-log.ts';
import { appendResources } from '../support/append-resources.ts';
import { shareOfOthers } from '../support/thread-share.ts';
import { startDashboard, type Dashboard } from './accounts/harness.ts';
import type { TestKey } from './harness.ts';

/** Most of the thread is more than half; on a quiet machine others get 0.7 to 0.8. */
const most = 0.5;

const records = Number(process.env['RECORDS'] ?? 2_000);

let running: Dashboard;
let auditor: TestKey;
let developer: TestKey;
beforeAll(async () => {
  running = await startDashboard();
  auditor = await running.key({ kind: 'installation', scopes: ['audit:read'] });
  developer = await running.key();
  await appendResources(running.system.store, 'long', records);
  await running.caughtUp();
  await signLog(running.system, await ensureLogKey(running.system.vault, logName));
});
afterAll(() => running.stop());

test.each([
  [
    'a directory as of a time',
    (head: bigint) => `/audit/v1/as-of/directory?team=commons&position=${head}`,
    () => auditor,
  ],
  ['an export', () => '/audit/v1/export', () => auditor],
  ['an export with proofs', () => '/audit/v1/export?proofs=true&type=ResourceApproved', () => auditor],
  ['the package of the day', () => '/hsds/package.zip', () => developer],
] as const)('%s leaves most of the thread to others who have something to do', async (_name, url, key) => {
  const head = await running.system.store.head();
  const share = await shareOfOthers(async () => {
    const answer = await running.server.inject({ url: url(head), headers: key().bearer });
    expect([answer.statusCode, answer.rawPayload.length > 1_000]).toEqual([200, true]);
  });
  expect(share).toBeGreaterThan(most);
});

test('the download of a directory leaves most of the thread to others who have something to do', async () => {
  const admin = await running.account();
  await running.member('commons', admin, 'admin');
  const browser = await running.signedIn(admin);
  const share = await shareOfOthers(() => browser.open('/dash/resources/export?team=commons&format=csv'));
  expect([browser.status, browser.html.split('\n').length > records]).toEqual([200, true]);
  expect(share).toBeGreaterThan(most);
});
