import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandForm, formIdOf, publishForm } from '../../../src/commands/forms.ts';
import { submitForm, submissionIdOf } from '../../../src/commands/forms-submissions.ts';
import { gatheredMs, mailAnswers } from '../../../src/actions/forms-mails.ts';
import { eraseDueAnswers } from '../../../src/actions/forms-retention.ts';
import { endMembership } from '../../../src/commands/teams/member.ts';
import type { FormMails } from '../../../src/events/forms/form.ts';
import { anyForm } from '../../support/any-form.ts';
import { context } from '../harness.ts';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { visitor } from './visitor.ts';

let dash: Dashboard;
let admin: Account;
let reviewer: Account;
let unconfirmed: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
  admin = await dash.account({ profile: { name: 'Ana Amber' } });
  reviewer = await dash.account();
  unconfirmed = await dash.account({ confirmed: false });
  await dash.member('harbour', admin, 'admin');
  await dash.member('harbour', reviewer, 'reviewer');
  await dash.member('harbour', unconfirmed, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 12, minutes));

async function form(slug: string, mails?: Partial<FormMails>): Promise<string> {
  const { store } = dash.system;
  const of = { team: 'harbour', slug };
  await publishForm(store, of, anyForm(), { ...context(), at: at(0) });
  await commandForm(store, of, { kind: 'choose readers', readers: 'reviewer' }, context());
  if (mails) {
    const chosen = { members: [], content: false, receipts: false, ...mails };
    await commandForm(store, of, { kind: 'choose mails', mails: chosen }, { ...context(), at: at(0) });
  }
  await dash.caughtUp();
  return formIdOf('harbour', slug);
}

async function answer(id: string, name: string, minutes: number): Promise<string> {
  const given = { ...context(), at: at(minutes) };
  const of = { team: 'harbour', form: id, version: 1 };
  await submitForm(dash.system, of, { name, story: 'SECRET story', email: 'x@example.org' }, given);
  await dash.caughtUp();
  return submissionIdOf(given);
}

const round = (minutes: number) => mailAnswers(dash.system, 'https://dash.example', at(minutes));
const about = async (subject: string) =>
  (await dash.mails()).filter((mail) => mail.subject.includes(subject));

describe('mails about answers', () => {
  test('come at once for the first, then gathered, and not twice after a crash', async () => {
    const id = await form('first', { members: [admin.user, reviewer.user, unconfirmed.user] });
    await answer(id, 'One', 1);
    await round(2);
    const first = await about('A new answer to');
    expect(first.map(({ to }) => to).sort()).toEqual([admin.email, reviewer.email].sort());
    expect(first[0]?.text).toContain('https://dash.example/dash/team/forms/f/first?team=harbour');
    expect(first[0]?.text).not.toContain('SECRET');
    for (let n = 3; n < 8; n++) await answer(id, 'More', n);
    await round(9);
    expect(await about('5 new answers')).toEqual([]);
    const later = 2 + gatheredMs / 60_000;
    await round(later);
    expect(await about('5 new answers')).toHaveLength(2);
    // As after a crash before it was noted that they were told.
    await dash.system.side.table('form-answers-told').delete(id);
    await round(later);
    expect(await about('new answer')).toHaveLength(4);
  });

  test('hold the answers where an admin has chosen so, and leave the outbox when one is erased', async () => {
    const id = await form('content', { members: [admin.user], content: true });
    await answer(id, 'Zed "Quote" <b>', 1);
    await round(2);
    const found = async () => (await dash.mails(admin.email)).filter(({ text }) => text.includes('SECRET'));
    expect((await found())[0]?.text).toContain('Your name: Zed "Quote" <b>');
    await browser.open('/dash/team/forms/f/content?team=harbour');
    const path = /href="([^"]*\/answers\/[^".]*)"/.exec(browser.html)?.[1]?.replace('&#38;', '&') ?? '';
    await browser.open(path);
    await browser.press('Erase an answer');
    expect(browser.text).toContain('The answers are erased.');
    expect(await found()).toEqual([]);
  });

  test('reach nobody who has left, or does not read the answers', async () => {
    const id = await form('left', { members: [reviewer.user] });
    const of = { team: 'harbour', slug: 'left' };
    await answer(id, 'One', 1);
    await commandForm(dash.system.store, of, { kind: 'choose readers', readers: 'admin' }, context());
    const before = (await dash.mails()).length;
    await round(2);
    await commandForm(dash.system.store, of, { kind: 'choose readers', readers: 'reviewer' }, context());
    await endMembership(dash.system, { team: 'harbour', user: reviewer.user }, context());
    await answer(id, 'Two', 30);
    await round(60);
    expect(await dash.mails()).toHaveLength(before);
  });

  test('are chosen on a page, which lists who reads the answers; strangers are refused', async () => {
    await form('chosen');
    await browser.open('/dash/team/forms/f/chosen/settings?team=harbour');
    expect(browser.text).toContain('Ana Amber');
    const stranger = await dash.account();
    await browser.post('/dash/team/forms/f/chosen/settings/mails', {
      team: 'harbour',
      members: stranger.user,
      token: browser.hidden('token'),
    });
    expect(browser.status).toBe(422);
    expect(browser.text).toContain('Choose members of the team.');
    await browser.open('/dash/team/forms/f/chosen/settings?team=harbour');
    await browser.post('/dash/team/forms/f/chosen/settings/mails', {
      team: 'harbour',
      members: admin.user,
      receipts: 'yes',
      token: browser.hidden('token'),
    });
    expect(browser.text).toContain('The settings are saved.');
    expect((await dash.events('form-')).at(-1)).toEqual({
      type: 'FormMailsChosen',
      data: { members: [admin.user], content: false, receipts: true },
    });
  });
});

describe('a receipt', () => {
  const to = (address: string) =>
    dash.mails(address).then((all) => all.filter(({ subject }) => subject.startsWith('Receipt')));

  test('goes to whoever ticks the box, with nothing that they wrote', async () => {
    await form('receipts', { receipts: true });
    const somebody = await visitor(dash, '/f/harbour/receipts');
    expect(somebody.opened.body).toContain('Send me a receipt');
    const answers = { name: 'SECRET name', agrees: 'yes', story: 'Buy this', email: 'vi@example.org' };
    await somebody.send(answers);
    expect(await to('vi@example.org')).toEqual([]);
    const again = await visitor(dash, '/f/harbour/receipts');
    const sent = await again.send({ ...answers, 'form-receipt': 'yes' });
    expect(sent.statusCode).toBe(303);
    const [mail] = await to('vi@example.org');
    expect(mail?.text).toContain('of harbour');
    expect(`${mail?.subject ?? ''}${mail?.text ?? ''}`).not.toMatch(/SECRET|Buy this/);
  });

  test('cannot flood a stranger: one address gets three in a day, and no form that has not chosen it sends one', async () => {
    await form('receipts-2', { receipts: true });
    await form('no-receipts');
    const answers = { name: 'Any', agrees: 'yes', email: 'flood@example.org', 'form-receipt': 'yes' };
    expect((await visitor(dash, '/f/harbour/no-receipts')).opened.body).not.toContain('Send me a receipt');
    await (await visitor(dash, '/f/harbour/no-receipts')).send(answers);
    expect(await to('flood@example.org')).toEqual([]);
    for (let n = 0; n < 6; n++)
      expect((await (await visitor(dash, '/f/harbour/receipts-2')).send(answers)).statusCode).toBe(303);
    expect(await to('flood@example.org')).toHaveLength(3);
  });
});

describe('answers', () => {
  test('are erased when their days are over, in the log and for everybody, and the form says so', async () => {
    const id = await form('kept');
    await answer(id, 'Old', 1);
    await answer(id, 'Young', 30);
    await browser.open('/dash/team/forms/f/kept/settings?team=harbour');
    for (const days of ['0', '-3', '1.5', '99999', 'ten']) {
      await browser.press('Save the days', { days });
      expect([browser.status, browser.problem('days') === undefined], days).toEqual([422, false]);
    }
    await browser.press('Save the days', { days: '10' });
    expect(browser.text).toContain('Answers are erased after 10 days.');
    expect((await visitor(dash, '/f/harbour/kept')).opened.body).toContain('is erased 10 days after');
    const tenDaysAnd = (minutes: number) => new Date(at(minutes).getTime() + 10 * 86_400_000);
    expect(await eraseDueAnswers(dash.system, tenDaysAnd(0))).toBe(0);
    expect(await eraseDueAnswers(dash.system, tenDaysAnd(2))).toBe(1);
    await dash.caughtUp();
    await browser.open('/dash/team/forms/f/kept?team=harbour');
    expect(browser.text).not.toContain('Old');
    expect(browser.text).toContain('Young');
    expect(await eraseDueAnswers(dash.system, tenDaysAnd(2))).toBe(0);
    expect((await dash.events('submission-')).at(-1)?.type).toBe('FormSubmissionErased');
  });
});
