import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../../src/commands/directory/resource.ts';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { confirmedOf } from '../../../../src/projections/directory/shown-fields.ts';
import { resources } from '../../../../src/projections/directory/resources.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { context } from '../../harness.ts';

let dash: Dashboard;
let reviewer: Account;
let browser: PlainBrowser;
let count = 0;
let team: string;

beforeAll(async () => {
  dash = await startDashboard();
  reviewer = await dash.account({ profile: { name: 'Ada Reviewer' } });
});
afterAll(() => dash.stop());

beforeEach(async () => {
  team = `team-${++count}`;
  await dash.team(team);
  await dash.member(team, reviewer, 'admin');
  browser = await dash.signedIn(reviewer);
});

const submit = async (number: number, fields: object = {}): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < number; n += 1)
    ids.push(await dash.submission(team, { name: `Pantry ${n}`, category: 'food', ...fields }));
  return ids;
};

/** Sends what a table would. */
async function ask(decision: string, records: readonly string[] | { filter: string; total: number }) {
  await browser.open(`/dash/resources/bulk?team=${team}`);
  await browser.open(`/dash/resources/import?team=${team}`);
  const values = new URLSearchParams({
    team,
    do: decision,
    token: browser.hidden('token'),
    once: crypto.randomUUID(),
  });
  if ('total' in records) {
    values.set('all', '1');
    values.set('filter', records.filter);
    values.set('total', String(records.total));
  } else for (const each of records) values.append('record', each);
  return browser.post('/dash/resources/bulk', values);
}

const statusOf = async (svcId: string) => {
  const { events } = { events: await dash.events(`resource-${svcId}`) };
  return events.map(({ type }) => type.replace('Resource', ''));
};
const idOf = () => browser.url.pathname.split('/').at(-1) ?? '';

describe('a decision about many records', () => {
  test('is asked about with its number, made, listed, on Home, in the history, undone and made again', async () => {
    const ids = await submit(3);
    await ask('approve', ids);
    expect(browser.heading).toBe('Approve 3 records?');
    expect(await statusOf(ids[0] ?? '')).toEqual(['Submitted']);
    await browser.press('Approve 3 records', { reason: 'Checked by phone.' });
    expect(browser.heading).toBe('3 records were approved');
    expect(browser.text).toContain('Done 3');
    const first = idOf();
    for (const id of ids) expect(await statusOf(id)).toEqual(['Submitted', 'Approved']);
    const page = `/dash/resources/bulk/${idOf()}`;

    await browser.open(`/dash?team=${team}`);
    expect(browser.text).toContain('Ada Reviewer approved 3 records: “Checked by phone.”');
    await browser.follow('Ada Reviewer approved 3 records: “Checked by phone.”');
    expect(browser.heading).toBe('3 records were approved');
    await browser.open(`/dash/resources/${ids[0]}?team=${team}`);
    expect(browser.html).toContain(`/resources/bulk/${first}`);

    await browser.open(`${page}?team=${team}`);
    await browser.press('Undo 3 records were approved');
    expect(browser.heading).toBe('3 records were approved: undone');
    for (const id of ids)
      expect(await statusOf(id)).toEqual(['Submitted', 'Approved', 'Deactivated', 'Resubmitted']);
    expect(browser.text).not.toContain('Undo');
    await browser.open(`/dash?team=${team}`);
    expect(browser.text).toContain('undid the bulk action that approved 3 records');

    await ask('approve', ids);
    await browser.press('Approve 3 records');
    expect(browser.heading).toBe('3 records were approved');
    expect(idOf()).not.toBe(first);
    // Nobody is told twice that it was approved.
    for (const id of ids) expect((await statusOf(id)).at(-1)).toBe('Reactivated');
    await browser.open(`/dash/resources/bulk?team=${team}`);
    expect(browser.text).toMatch(
      /3 records were approved\s*Ada Reviewer.*Done.*3 records were approved.*Undone/,
    );
  });

  test('rejects with a reason, which it asks for', async () => {
    const ids = await submit(2);
    await ask('reject', ids);
    await browser.press('Reject 2 records');
    expect(browser.problem('reason')).toBe('Say why, in up to 2,000 characters.');
    await browser.press('Reject 2 records', { reason: 'Outside of the county' });
    expect(browser.heading).toBe('2 records were rejected');
    expect(browser.text).toContain('Outside of the county');
    expect((await dash.events(`resource-${ids[0]}`)).at(-1)).toMatchObject({
      type: 'ResourceRejected',
      data: { reason: 'Outside of the county' },
    });
    await browser.press('Undo 2 records were rejected');
    for (const id of ids) expect(await statusOf(id)).toEqual(['Submitted', 'Rejected', 'Resubmitted']);
  });

  test('that marks as verified gives back whose word stood, when it is undone', async () => {
    const source = { system: 'county', id: '1' };
    const fields = { name: 'Pantry', category: 'food', last_verified: '2020-01-02' } as const;
    const record = { team, source, fields, active: true, approve: true };
    const { state } = await importResource(dash.system, record, context());
    const svcId = state?.svc_id ?? '';
    const confirmed = async () => {
      await dash.caughtUp();
      const doc = await dash.system.documents.collection(resources.collection).get(svcId);
      return doc && confirmedOf(doc);
    };
    const bySource = { on: '2020-01-02', by: 'source' };
    expect(await confirmed()).toEqual(bySource);
    await ask('verified', [svcId]);
    await browser.press('Mark 1 record as verified', { day: '2026-05-06' });
    expect(await confirmed()).toEqual({ on: '2026-05-06', by: 'team' });
    await browser.press('Undo 1 record was marked as verified');
    expect(await confirmed()).toEqual(bySource);
  });

  test('takes out, changes the kind of help, and marks as verified, and each is undone', async () => {
    const ids = await submit(2, { categories: ['health'], last_verified: '2020-01-02' });
    for (const id of ids) await commandResource(dash.system, id, { kind: 'approve' }, context());
    await dash.caughtUp();
    await ask('kind', ids);
    await browser.press('Change 2 records', { category: 'health' });
    expect(browser.heading).toBe('2 records were changed');
    const last = async (id = ids[0]) => (await dash.events(`resource-${id}`)).at(-1);
    expect(await last()).toMatchObject({ data: { fields: { category: 'health' } } });
    expect((await last())?.data['fields']).not.toHaveProperty('categories');
    await browser.press('Undo 2 records were changed');
    expect(await last()).toMatchObject({ data: { fields: { category: 'food', categories: ['health'] } } });

    await ask('verified', ids);
    await browser.press('Mark 2 records as verified', { day: '2031-01-01' });
    expect(browser.status).toBe(422);
    await browser.press('Mark 2 records as verified', { day: '2026-05-06' });
    expect(await last()).toMatchObject({ data: { fields: { last_verified: '2026-05-06' } } });
    await browser.press('Undo 2 records were marked as verified');
    expect(await last()).toMatchObject({ data: { fields: { last_verified: '2020-01-02' } } });

    await ask('take-out', ids);
    await browser.press('Take 2 records out');
    expect((await last())?.type).toBe('ResourceDeactivated');
    await browser.press('Undo 2 records were taken out');
    expect((await last())?.type).toBe('ResourceReactivated');
  });

  test('skips what others have decided about meanwhile and what is not theirs, and says why', async () => {
    const ids = await submit(3);
    const strange = await dash.submission('harbour', { name: 'Secret of others', category: 'food' });
    await ask('reject', [...ids, strange, 'r_0000000000000000']);
    await commandResource(dash.system, ids[0] ?? '', { kind: 'approve' }, context());
    await browser.press('Reject 5 records', { reason: 'Doubles' });
    expect(browser.heading).toBe('2 records were rejected');
    expect(browser.text).toContain('Skipped: others had decided about them 1');
    expect(browser.text).toContain('Skipped: no longer in your directory 2');
    expect(browser.text).toContain('Pantry 0');
    expect(browser.text).not.toContain('Secret of others');
    expect(await statusOf(strange)).toEqual(['Submitted']);
  });

  test('leaves what was changed since when it is undone', async () => {
    const ids = await submit(2);
    await ask('approve', ids);
    await browser.press('Approve 2 records');
    await commandResource(dash.system, ids[0] ?? '', { kind: 'deactivate' }, context());
    await browser.press('Undo 2 records were approved');
    expect(browser.text).toContain('Left as they are 1');
    expect((await statusOf(ids[0] ?? '')).at(-1)).toBe('Deactivated');
    expect((await statusOf(ids[1] ?? '')).at(-1)).toBe('Resubmitted');
  });

  test('about all that fit a filter is asked about again when more fit than were shown', async () => {
    const ids = await submit(2);
    await ask('approve', { filter: 'status=submitted', total: 1 });
    expect(browser.heading).toBe('Approve 2 records?');
    expect(browser.text).toContain('Meanwhile more records fit than you were shown: 2 records.');
    ids.push(...(await submit(1)));
    await browser.press('Approve 2 records');
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Nothing was done');
    expect(browser.heading).toBe('Approve 3 records?');
    for (const id of ids) expect(await statusOf(id)).toEqual(['Submitted']);
    await browser.press('Approve 3 records');
    expect(browser.heading).toBe('3 records were approved');
  });

  test('reads the days of a filter by the clock of the reader, as the table and its CSV do', async () => {
    const at = new Date('2026-11-02T03:00:00Z');
    const fields = { name: 'Late pantry', category: 'food' } as const;
    await submitResource(dash.system, { team, fields }, { ...context(), at });
    await dash.caughtUp();
    const seen = async (day: string) => {
      const table = `/dash/resources?team=${team}&changed=${day}`;
      const page = (await browser.open(table)).html.includes('Late pantry');
      const csv = (await browser.open(`${table}&format=csv`)).html.includes('Late pantry');
      await ask('approve', { filter: `changed=${day}`, total: 1 });
      return [page, csv, browser.heading === 'Approve 1 record?'];
    };
    for (const [zone, isThere] of [
      ['UTC', true],
      ['America/New_York', false],
    ] as const) {
      browser.cookies.set('commonweal-zone', encodeURIComponent(zone));
      expect(await seen('2026-11-02'), zone).toEqual([isThere, isThere, isThere]);
      expect(await seen('2026-11-01'), zone).toEqual([true, true, true]);
    }
  });

  test('that is sent twice is one', async () => {
    const ids = await submit(1);
    await ask('approve', ids);
    const { action, fields } = browser
      .forms()
      .find(({ buttons }) => buttons[0]?.label === 'Approve 1 record') ?? {
      action: '',
      fields: [],
    };
    await browser.post(action, new URLSearchParams([...fields]));
    await browser.post(action, new URLSearchParams([...fields]));
    expect(browser.heading).toBe('1 record was approved');
    expect((await dash.events('bulk-')).filter(({ data }) => data['team'] === team)).toHaveLength(1);
  });

  test('is not for members, nor for other teams, and rubbish is refused', async () => {
    const ids = await submit(1);
    await ask('approve', ids);
    const page = `/dash/resources/bulk/${idOf()}`;
    const member = await dash.account();
    await dash.member(team, member, 'member');
    const others = await dash.signedIn(member);
    await others.open(`${page}?team=${team}`);
    expect(others.status).toBe(404);
    const stranger = await dash.account();
    await dash.team(`other-${team}`);
    await dash.member(`other-${team}`, stranger, 'admin');
    const strange = await dash.signedIn(stranger);
    await strange.open(`${page}?team=other-${team}`);
    expect(strange.status).toBe(404);

    await ask('approve', []);
    expect(browser.heading).toBe('Nothing is ticked');
    await ask('approve', ['<script>']);
    expect(browser.status).toBe(422);
    await ask('owner', ids);
    expect(browser.status).toBe(400);
    await ask('approve', { filter: 'nonsense=%00', total: 1 });
    expect(browser.status).toBe(422);
    await browser.open(`/dash/resources/bulk/nothing?team=${team}`);
    expect(browser.status).toBe(404);
    await browser.open(`/dash/resources/bulk/${crypto.randomUUID()}/progress?team=${team}`);
    expect(browser.status).toBe(200);
  });

  test('takes 10,000 ticked records', async () => {
    const ids = await submit(1);
    const none = Array.from({ length: 9_999 }, (_, n) => `r_${String(n).padStart(16, '0')}`);
    await ask('approve', [...ids, ...none]);
    expect(browser.heading).toBe('Approve 10,000 records?');
  });
});
