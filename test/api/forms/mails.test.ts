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

describe('an address outside of the team', () => {
  const office = 'office@partner.example';
  const settings = (slug: string) => `/dash/t/harbour/team/forms/f/${slug}/settings`;
  const linkIn = (text = '') => {
    const { pathname, search } = new URL(/https?:\/\/\S+link=\S+/.exec(text)?.[0] ?? '');
    return pathname + search;
  };
  const answersTo = async () =>
    (await dash.mails(office)).filter(({ subject }) => subject.includes('new answer'));
  async function named(slug: string, fields: Record<string, string> = {}) {
    await browser.open(settings(slug));
    await browser.post(`${settings(slug)}/office`, {
      team: 'harbour',
      token: browser.hidden('token'),
      address: office,
      ...fields,
    });
    expect(browser.text).toContain('The settings are saved.');
    const mails = (await dash.mails(office)).filter(({ subject }) => subject.startsWith('Mails about'));
    return linkIn(mails.at(-1)?.text);
  }

  test('gets no answer before it has confirmed, then one mail for many without what they say, and none after it has stopped', async () => {
    const id = await form('office');
    const confirm = await named('office');
    await answer(id, 'Before', 1);
    await round(30);
    expect(await answersTo(), 'not confirmed').toEqual([]);
    const reader = dash.browser();
    await reader.open(confirm);
    await round(31);
    expect(await answersTo(), 'opening the link is not enough').toEqual([]);
    await reader.press('Send me these mails');
    expect(reader.text).toContain('From now on you get mails');
    const since = (Date.now() - at(0).getTime()) / 60_000;
    await answer(id, 'One', since + 60);
    await answer(id, 'Two', since + 61);
    await round(since + 90);
    await dash.system.side.table('form-answers-told').delete(id);
    await round(since + 90);
    const mails = await answersTo();
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^2 new answers to /)]);
    expect(mails[0]?.text).not.toContain('SECRET');
    const { atOnce } = mails[0]?.unsubscribe as { atOnce: string };
    const { pathname, search } = new URL(atOnce);
    const stop = linkIn(mails[0]?.text);
    await reader.open(stop);
    expect(reader.text).toContain('Do you want no more of them?');
    const stopped = await fetch(`${dash.origin}${pathname}${search}`, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(stopped.status).toBe(200);
    expect(await answersTo(), 'what waited is gone').toEqual([]);
    await dash.caughtUp();
    await answer(id, 'Three', since + 120);
    await round(since + 150);
    expect(await answersTo()).toEqual([]);
    await reader.open(stop);
    expect([reader.status, reader.heading]).toEqual([400, 'This link no longer works']);
    await browser.open(settings('office'));
    expect(browser.text).not.toContain(office);
    expect(JSON.stringify(await dash.events('form-'))).not.toContain('partner.example');
  });

  test('gets the answers where an admin has chosen so, and nothing after an admin has removed it', async () => {
    const id = await form('office-content');
    const confirm = await named('office-content', { 'office-content': 'yes' });
    const reader = dash.browser();
    await reader.open(confirm);
    expect(reader.text).toContain('The answers stand in them.');
    await reader.press('Send me these mails');
    const since = (Date.now() - at(0).getTime()) / 60_000;
    await answer(id, 'Zed', since + 60);
    await round(since + 90);
    expect((await answersTo())[0]?.text).toContain('SECRET story');
    await browser.open(settings('office-content'));
    expect(browser.text).toContain(`${office} gets mails about answers.`);
    await browser.press(`Remove this address ${office}`);
    expect(browser.text).toContain('The settings are saved.');
    expect(await answersTo()).toEqual([]);
    await reader.open(confirm);
    expect(reader.status, 'it cannot confirm itself again').toBe(400);
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
