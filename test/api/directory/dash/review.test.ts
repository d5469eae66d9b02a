import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportMistake } from '../../../../src/commands/directory/upkeep/mistake.ts';
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
  reviewer = await dash.account();
});
afterAll(() => dash.stop());

/** A queue of its own for each test. */
beforeEach(async () => {
  team = `team-${++count}`;
  await dash.team(team);
  await dash.member(team, reviewer, 'reviewer');
  browser = await dash.signedIn(reviewer);
});

const review = (also = '') => `/dash/resources/review?team=${team}${also}`;
const submit = (fields: Parameters<Dashboard['submission']>[1] = {}) => dash.submission(team, fields);
const typesOf = async (svcId: string) => (await dash.events(`resource-${svcId}`)).map(({ type }) => type);

describe('the queue', () => {
  test('shows a submission as people will see it, and says how many wait', async () => {
    await submit({ name: 'Corner Pantry', description: 'Bags of food.', eligibility: 'Everybody' });
    await submit({ name: 'Night Shelter' });
    await browser.open(review());
    expect(browser.status).toBe(200);
    expect(browser.text).toContain('2 wait for a decision.');
    await browser.open(review());
    const first = browser.text.includes('Corner Pantry') ? 'Corner Pantry' : 'Night Shelter';
    await browser.follow('Next');
    expect(browser.text).toContain(first === 'Corner Pantry' ? 'Night Shelter' : 'Corner Pantry');
    await browser.follow('Next');
    expect(browser.text).toContain(first);
    expect(browser.text).toContain('This is the first again.');
    for (const key of ['a', 'r', 'j']) expect(browser.html).toContain(`data-key="${key}"`);
  });

  test('says what to expect when nothing waits', async () => {
    await browser.open(review());
    expect(browser.text).toContain('Nothing waits for a decision.');
  });

  test('names public records with the same name, phone or address, and why', async () => {
    const place = { street: '12 Harbor Street', city: 'Lakewood', postal_code: '99501' };
    const phones = [{ number: '(555) 010-7788 ext. 2' }];
    await dash.resources(1, { team, fields: () => ({ name: 'Lakewood Pantry', phones, locations: [] }) });
    await dash.resources(2, {
      fields: (index) =>
        [
          { name: 'Other name', phones: [{ number: '555 020 1234' }], locations: [place] },
          {
            name: 'Far away',
            phones: [],
            locations: [{ ...place, city: 'Elsewhere', postal_code: '10001' }],
          },
        ][index] ?? {},
    });
    const own = await submit({
      name: 'LAKEWOOD PANTRY',
      phones: [{ number: '+1 555-010-7788' }],
      locations: [{ ...place, street: '12 Harbor street' }],
    });
    await browser.open(review());
    expect(browser.text).toMatch(
      /Lakewood Pantry Same name Same phone Compare and merge Lakewood Pantry Other name Same address/,
    );
    expect(browser.text).not.toContain('Far away');
    expect(await typesOf(own)).toEqual(['ResourceSubmitted']);
    await browser.follow('Compare and merge Lakewood Pantry');
    expect(browser.heading).toBe('Merge two records');
    await browser.press('Merge as chosen Lakewood Pantry');
    expect(browser.text).toContain('They are merged.');
    expect((await typesOf(own)).at(-1)).toBe('ResourceMerged');
  });
});

describe('undoing a decision', () => {
  test('stands beside the message with the way to the record, and the record waits again', async () => {
    const id = await submit({ name: 'Corner Pantry' });
    await browser.open(review());
    await browser.press('Approve Corner Pantry');
    expect(browser.html).toContain(`/resources/${id}`);
    const decided = browser.url.href;
    await browser.press('Undo');
    expect(browser.text).toContain('The decision is undone. The record waits again.');
    expect(browser.text).toContain('Corner Pantry');
    expect(await typesOf(id)).toEqual([
      'ResourceSubmitted',
      'ResourceApproved',
      'ResourceDeactivated',
      'ResourceResubmitted',
    ]);
    expect((await dash.browser().open(`/r/${id}`)).status).toBe(410);
    // From the page of before, it is undone already.
    await browser.open(decided);
    await browser.press('Undo');
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Somebody has decided about that record since');
    expect(await typesOf(id)).toHaveLength(4);
    await browser.open(review());
    await browser.press('Approve Corner Pantry');
    expect((await dash.browser().open(`/r/${id}`)).status).toBe(200);
  });

  test('takes back a rejection, and its button sent twice does one thing', async () => {
    const id = await submit({ name: 'Corner Pantry' });
    await browser.open(review());
    await browser.press('Reject Corner Pantry', { reason: 'No.' });
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Undo'));
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    for (let press = 0; press < 2; press++) {
      await browser.post(form?.action ?? '', values);
      expect(browser.text).toContain('The decision is undone.');
    }
    expect(await typesOf(id)).toEqual(['ResourceSubmitted', 'ResourceRejected', 'ResourceResubmitted']);
  });

  test('is nothing for the record of another team, nor with a request that decided nothing', async () => {
    const id = await submit({ name: 'Corner Pantry' });
    await browser.open(review());
    await browser.press('Approve Corner Pantry');
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Undo'));
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    const other = `other-${team}`;
    await dash.team(other);
    await dash.member(other, reviewer, 'reviewer');
    const foreign = new URLSearchParams(values);
    foreign.set('team', other);
    await browser.post(`/dash/resources/review?team=${other}`, foreign);
    expect(browser.status).toBe(404);
    for (const recorded of [randomUUID(), 'x', '']) {
      values.set('recorded', recorded);
      await browser.post(form?.action ?? '', values);
      expect(browser.status, recorded).toBeGreaterThanOrEqual(400);
    }
    expect(await typesOf(id)).toEqual(['ResourceSubmitted', 'ResourceApproved']);
  });
});

describe('what waits as a table', () => {
  test('has only what waits, sorted and narrowed down, and leads to deciding about many', async () => {
    const ids = [
      await submit({ name: 'Corner Pantry' }),
      await submit({ name: 'Night Shelter', category: 'housing' }),
    ];
    const decided = await submit({ name: 'Decided' });
    await dash.command(decided, { kind: 'approve' });
    await browser.open(review());
    await browser.follow('All that wait, as a table');
    expect(browser.text).toContain('2 records.');
    expect(browser.text).not.toContain('Decided');
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Approve'));
    expect(form?.action).toContain('/resources/bulk');
    const fields = new URLSearchParams([...(form?.fields ?? [])]);
    expect(fields.get('total')).toBe('2');
    expect(new URLSearchParams(fields.get('filter') ?? '').get('status')).toBe('submitted');
    for (const id of ids) expect(browser.html).toContain(`name="record" value="${id}"`);
    await browser.open(review('&show=table&category=housing&sort=-name&status=approved'));
    expect(browser.text).toContain('1 record.');
    expect(browser.text).toContain('Night Shelter');
    await browser.open(review('&show=table&place=nowhere'));
    expect(browser.text).toContain('No record was found.');
  });
});

describe('a decision', () => {
  test('approves with a note, shows the next one, and sent twice does one thing', async () => {
    const ids = [await submit({ name: 'Corner Pantry' }), await submit({ name: 'Night Shelter' })];
    await browser.open(review());
    const shown = browser.hidden('record');
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => /^Approve /.test(label)));
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    values.set('note', 'Called them.');
    await browser.post(form?.action ?? '', values);
    expect(browser.text).toContain('It is approved, and everybody can see it.');
    expect(browser.hidden('record')).toBe(ids.find((id) => id !== shown));
    await browser.post(form?.action ?? '', values);
    expect(browser.status).toBe(200);
    expect(await typesOf(shown)).toEqual(['ResourceSubmitted', 'ResourceApproved']);
    const open = await dash.browser().open(`/r/${shown}`);
    expect(open.status).toBe(200);
  });

  test('rejects with a reason, and asks for one', async () => {
    const id = await submit({ name: 'Corner Pantry' });
    await browser.open(review());
    await browser.press('Reject Corner Pantry', { reason: ' ' });
    expect(browser.status).toBe(422);
    expect(browser.problem('reason')).toContain('Say why');
    await browser.press('Reject Corner Pantry', { reason: 'It is in the directory already.' });
    expect(browser.text).toContain('It is rejected.');
    expect(browser.text).toContain('Nothing waits for a decision.');
    expect((await dash.events(`resource-${id}`)).at(-1)).toMatchObject({
      type: 'ResourceRejected',
      data: { reason: 'It is in the directory already.' },
    });
  });

  test('is not made about a record that was changed meanwhile, or decided by somebody else', async () => {
    const id = await submit({ name: 'Corner Pantry' });
    const [first, second] = [await dash.signedIn(reviewer), await dash.signedIn(reviewer)];
    for (const each of [first, second]) await each.open(review());
    await dash.command(id, { kind: 'revise', change: { description: 'New words.' } });
    await first.press('Approve Corner Pantry');
    expect(first.status).toBe(409);
    expect(first.text).toContain('It has changed since you opened it');
    expect(first.text).toContain('New words.');
    await first.press('Approve Corner Pantry');
    expect(first.text).toContain('It is approved');
    await second.press('Reject Corner Pantry', { reason: 'No.' });
    expect(second.status).toBe(409);
    expect(second.text).toContain('Somebody else has decided about it already.');
    expect(await typesOf(id)).toEqual(['ResourceSubmitted', 'ResourceRevised', 'ResourceApproved']);
  });
});

describe('who may not', () => {
  test('members, strangers and people of other teams see and decide nothing', async () => {
    const id = await submit({ name: 'Corner Pantry' });
    const [member, stranger] = [await dash.account(), await dash.account()];
    await dash.member(team, member, 'member');
    await dash.member('harbour', stranger, 'admin');
    for (const account of [member, stranger]) {
      const person = await dash.signedIn(account);
      await person.open(review());
      expect(person.status).toBe(404);
      expect(person.text).not.toContain('Corner Pantry');
      await person.open('/dash/me');
      const token = person.hidden('token');
      await person.post('/dash/resources/review', { token, team, record: id, decision: 'approve' });
      expect(person.status).toBe(404);
    }
    const foreign = await dash.signedIn(stranger);
    await foreign.open('/dash/resources/review?team=harbour');
    const token = foreign.hidden('token');
    await foreign.post('/dash/resources/review', { token, team: 'harbour', record: id, decision: 'approve' });
    expect(foreign.status).toBe(404);
    expect(await typesOf(id)).toEqual(['ResourceSubmitted']);
  });
});

describe('reported mistakes', () => {
  const report = async (svc_id: string, text: string) => {
    const said = { text, contact: 'someone@example.org' };
    await reportMistake(dash.system, { svc_id, team, kind: 'phone', said }, context());
    await dash.caughtUp();
  };
  const outcomes = async () =>
    (await dash.events('mistake-'))
      .filter(({ type }) => type === 'MistakeResolved')
      .map(({ data }) => data['outcome']);

  test('are settled one after the other, and what they say can be erased', async () => {
    const [id = ''] = await dash.resources(1, { team, fields: () => ({ name: 'Corner Pantry' }) });
    await report(id, 'Nobody answers.');
    await report(id, '<script>alert(1)</script>\u202eabc');
    await browser.open(review());
    await browser.follow('Reported mistakes (2)');
    expect(browser.text).toContain('The phone number is wrong');
    expect(browser.text).toContain('Nobody answers.');
    expect(browser.text).toContain('someone@example.org');
    expect(browser.text).toContain('As people see it now');
    await browser.press('It is corrected The phone number is wrong');
    expect(browser.text).toContain('The report is settled');
    expect(browser.html).not.toContain('<script>alert');
    expect(browser.text).toContain('<script>alert(1)</script>');
    await browser.press('Erase what it says The phone number is wrong');
    expect(browser.text).toContain('What the report said is erased.');
    expect(browser.text).not.toContain('alert(1)');
    await browser.press('Dismiss The phone number is wrong');
    expect(browser.text).toContain('No mistakes are reported.');
    expect(await outcomes()).toEqual(['fixed', 'dismissed']);
  });
});
