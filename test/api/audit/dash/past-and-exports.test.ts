import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureLogKey } from '../../../../src/audit/proof-log/format/log-key.ts';
import { logName, signLog } from '../../../audit/signed-log.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import { until } from '../../../support/until.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let admin: Account;
let auditor: PlainBrowser;

beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('quay');
  admin = await dash.account({ profile: { name: 'Ana Diaz' } });
  await dash.member('harbour', admin, 'admin');
  await dash.submission('quay');
  auditor = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const asOf = (query: Record<string, string>) =>
  auditor.open(`/dash/audit/as-of?${new URLSearchParams({ team: 'harbour', ...query }).toString()}`);
/** The form takes whole seconds, so the one in which things have happened has to be over. */
async function now(): Promise<string> {
  const over = Math.ceil(Date.now() / 1_000) * 1_000;
  await until(() => Date.now() >= over);
  return new Date(over).toISOString().slice(0, 19);
}

describe('as of a time', () => {
  test('an auditor sees who the members were, and it is recorded', async () => {
    await auditor.open('/dash/audit?team=harbour');
    await auditor.follow('As of a time');
    expect(auditor.status).toBe(200);
    expect(auditor.text).toContain('in the order of the log');
    await asOf({ question: 'members', at: await now() });
    expect(auditor.status).toBe(200);
    expect(auditor.text).toContain('Ana Diaz');
    const { data } = (await dash.events('audit-access-')).at(-1) ?? {};
    expect(data).toMatchObject({
      question: 'as-of',
      filter: { about: 'members', team: 'harbour' },
      events: 1,
    });
  });

  test.each([
    ['at', { question: 'keys', at: '2999-01-01T00:00' }],
    ['at', { question: 'keys', at: 'yesterday' }],
    ['person', { question: 'consents', at: '2026-01-01T00:00', person: 'Ana' }],
    ['client', { question: 'tokens', at: '2026-01-01T00:00', client: 'x' }],
    ['status', { question: 'directory', at: '2026-01-01T00:00', status: 'public' }],
    ['stream', { question: 'streams', at: '2026-11-01T00:00' }],
    ['position', { question: 'keys', position: 'last' }],
    ['position', { question: 'keys', position: '0', at: '2026-01-01T00:00' }],
  ])('what cannot be asked is said beside %s: %o', async (name, query) => {
    await asOf(query);
    expect(auditor.status).toBe(400);
    expect(auditor.problem(name)).toBeTruthy();
  });

  test('the state of a stream, at a time or at its place in the log, and what happened in it', async () => {
    const before = String(await dash.system.store.head());
    const member = await dash.account({ profile: { name: 'Ben Lee' } });
    await dash.member('harbour', member, 'reviewer');
    await asOf({ question: 'streams', stream: 'team-harbour', at: await now() });
    expect(auditor.text).toContain('State of members');
    expect(auditor.text).toMatch(/Name: ?Ben Lee/);
    expect(auditor.text).toContain('MemberJoined');
    expect((await dash.events('audit-access-')).at(-1)?.data).toMatchObject({
      question: 'as-of',
      filter: { about: 'streams', stream: 'team-harbour', team: 'harbour' },
    });
    await asOf({ question: 'streams', stream: 'team-harbour', position: before });
    expect(auditor.text).toContain(`place ${before} in the log`);
    expect(auditor.text).not.toContain('Ben Lee');
    await auditor.open('/dash/audit?team=harbour&type=MemberJoined');
    const id = /\/audit\/events\/([\w-]+)/.exec(auditor.html)?.[1] ?? '';
    await auditor.open(`/dash/audit/events/${id}?team=harbour`);
    await auditor.follow('The stream at this event');
    expect([auditor.status, auditor.heading]).toEqual([200, 'Audit log']);
    expect(auditor.text).toContain('Ben Lee');
  });

  test('the records of one status alone', async () => {
    await dash.team('pier');
    await dash.member('pier', admin, 'admin');
    await dash.resources(1, { team: 'pier', fields: () => ({ name: 'Open Table' }) });
    await dash.submission('pier', { name: 'Waiting Room' });
    const at = await now();
    await asOf({ team: 'pier', question: 'directory', at, status: 'approved' });
    expect(auditor.text).toContain('Open Table');
    expect(auditor.text).not.toContain('Waiting Room');
    expect((await dash.events('audit-access-')).at(-1)?.data).toMatchObject({
      filter: { status: 'approved' },
    });
    await asOf({ team: 'pier', question: 'directory', at, status: '' });
    for (const shown of ['Open Table', 'Waiting Room']) expect(auditor.text).toContain(shown);
  });

  test('says what it knows in words for people, not with the names of fields', async () => {
    const at = await now();
    for (const question of ['members', 'keys', 'subscriptions', 'directory'])
      expect((await asOf({ question, at })).text).not.toMatch(/joined_at|created_at|svc_id|key_id|usable/);
    await asOf({ question: 'members', at });
    expect(
      [...auditor.html.matchAll(/<th\s+scope="col"[^>]*>\s*([^<]*?)\s*<\/th>/g)].map(([, label]) => label),
    ).toEqual(['Name', 'Email', 'Role', 'Member since']);
  });

  test('of another team nothing is shown', async () => {
    await asOf({ question: 'directory', at: await now(), of: 'quay' });
    expect(auditor.text).toContain('There was nothing then.');
    await asOf({ question: 'streams', at: await now(), stream: 'team-quay' });
    expect([auditor.status, auditor.problem('stream')]).toEqual([404, 'There is no stream team-quay.']);
    await auditor.open('/dash/audit/as-of?team=quay&question=members&at=2026-01-01T00:00');
    expect(auditor.status).toBe(404);
  });
});

describe('an export', () => {
  test('waits for the first signed state', async () => {
    await auditor.open('/dash/audit/exports/file?team=harbour&format=csv');
    expect(auditor.status).toBe(503);
    expect(auditor.text).toContain('no checkpoint yet');
  });

  test('has the events of the team that fit, and is recorded', async () => {
    await signLog(dash.system, await ensureLogKey(dash.system.vault, logName));
    await auditor.open('/dash/audit/exports?team=harbour');
    expect(auditor.text).toContain('Newest signed state');
    await auditor.open('/dash/audit/exports/file?team=harbour&format=ndjson');
    expect(auditor.answer.get('content-disposition')).toBe('attachment; filename="events.ndjson"');
    const types = auditor.html
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types).toContain('MemberJoined');
    expect(types).not.toContain('ResourceSubmitted');
    const { type, data } = (await dash.events('audit-access-')).at(-1) ?? {};
    expect([type, data]).toEqual([
      'AuditExported',
      expect.objectContaining({ format: 'ndjson', filter: { team: 'harbour' }, events: types.length }),
    ]);
    await auditor.open('/dash/audit/exports/file?team=harbour&format=xml');
    expect(auditor.status).toBe(400);
    await auditor.open('/dash/audit/exports/file?team=harbour&format=csv&type=TeamCreated');
    expect(auditor.html.trimEnd().split('\n')).toHaveLength(2);
  });

  test('of another team is 404', async () => {
    await auditor.open('/dash/audit/exports/file?team=quay&format=csv');
    expect(auditor.status).toBe(404);
  });
});
