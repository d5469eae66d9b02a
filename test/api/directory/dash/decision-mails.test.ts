import { afterAll, beforeAll, expect, test } from 'vitest';
import { betweenMs, mailDecisions, settlesMs } from '../../../../src/actions/accounts/decision-mails.ts';
import { textsIn } from '../../../../src/api/pages/frame/texts.ts';
import {
  commandResource,
  submitResource,
  undoDecision,
} from '../../../../src/commands/directory/resource.ts';
import { endMembership } from '../../../../src/commands/teams/member.ts';
import { context } from '../../harness.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';

let dash: Dashboard;
let reviewer: Account;
beforeAll(async () => {
  dash = await startDashboard({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
  reviewer = await member('reviewer');
  await round(0);
});
afterAll(() => dash.stop());

/** Each test has an hour of its own, and begins after all mails of the one before. */
let hour = 0;
const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 4 * hour, minutes));
const by = ({ user }: Account, minutes: number) => ({
  ...context(),
  actor: { kind: 'user', id: user } as const,
  at: at(minutes),
});
const round = (minutes: number) =>
  mailDecisions(
    dash.system,
    'https://dash.example',
    (language) => textsIn(language).decisionMail,
    at(minutes),
  );
const settled = settlesMs / 60_000 + 1;
const between = betweenMs / 60_000;

async function member(role: 'member' | 'reviewer', confirmed = true): Promise<Account> {
  const account = await dash.account({ confirmed });
  await dash.member('harbour', account, role);
  return account;
}
async function submitted(account: Account, ...names: string[]): Promise<string[]> {
  hour += 1;
  const ids = [];
  for (const name of names) {
    const fields = { name, category: 'food' } as const;
    const { state } = await submitResource(dash.system, { team: 'harbour', fields }, by(account, 0));
    ids.push(state?.svc_id ?? '');
  }
  await dash.caughtUp();
  return ids;
}
type Kind = 'approve' | 'reject';
async function decide(id: string | undefined, kind: Kind, minutes: number, who = reviewer) {
  const command = kind === 'reject' ? { kind, reason: 'It has no phone.' } : { kind };
  const deciding = by(who, minutes);
  await commandResource(dash.system, id ?? '', command, deciding);
  await dash.caughtUp();
  return deciding;
}

test('one mail tells what became of many records, one of one says its name and why, and none comes within the hour', async () => {
  const person = await member('member');
  const [first, ...others] = await submitted(person, 'One Pantry', 'Two', 'Three', 'Four', 'Five');
  await decide(first, 'reject', 1);
  await round(5);
  expect(await dash.mails(person.email), 'it may still be undone').toEqual([]);
  await round(1 + settled);
  const [mail] = await dash.mails(person.email);
  expect(mail?.subject).toBe('What became of 1 record that you submitted');
  expect(mail?.text).toContain(
    '“One Pantry”, which you submitted to harbour:\nIt was rejected.\nWhy: It has no phone.',
  );
  expect(mail?.text).toContain('https://dash.example/dash/t/harbour/resources/mine');
  expect(mail?.unsubscribe).toEqual({ page: 'https://dash.example/dash/me/mails' });
  for (const [place, id] of others.entries()) await decide(id, place === 0 ? 'reject' : 'approve', 13);
  await round(13 + settled);
  expect(await dash.mails(person.email), 'within the hour').toHaveLength(1);
  await round(1 + settled + between);
  const all = await dash.mails(person.email);
  expect(all).toHaveLength(2);
  expect(all[1]?.subject).toBe('What became of 4 records that you submitted');
  expect(all[1]?.text).toContain('3 are public now.');
  expect(all[1]?.text).toContain('1 was rejected.');
  expect(all[1]?.text).not.toContain('Two');
  await round(239);
  expect(await dash.mails(person.email)).toHaveLength(2);
});

test('a mail is not put twice after a crash, and what was decided meanwhile is told by the next', async () => {
  const person = await member('member');
  const [first, second] = await submitted(person, 'Crash One', 'Crash Two');
  const progress = dash.system.side.table<object>('decision-mails');
  await decide(first, 'approve', 1);
  await round(2);
  const before = await progress.get(person.user);
  await round(1 + settled);
  // As after a kill before it was noted that the mail was put.
  await progress.put(person.user, { ...before, upTo: at(1 + settled).toISOString() });
  await decide(second, 'approve', 14);
  await round(15);
  await round(16);
  expect(await dash.mails(person.email)).toHaveLength(1);
  await round(15 + settled + between);
  const all = await dash.mails(person.email);
  expect(all.map(({ text }) => /Crash \w+/.exec(text)?.[0])).toEqual(['Crash One', 'Crash Two']);
});

test('what was undone in time is in no mail; what was told and is undone later is told again', async () => {
  const person = await member('member');
  const [first, second] = await submitted(person, 'Undone Soon', 'Undone Late');
  const undo = async (id: string | undefined, deciding: { commandId: string }, minutes: number) => {
    await undoDecision(dash.system, id ?? '', deciding.commandId, by(reviewer, minutes));
    await dash.caughtUp();
  };
  await undo(first, await decide(first, 'approve', 1), 3);
  await round(3 + settled);
  expect(await dash.mails(person.email)).toEqual([]);
  const late = await decide(second, 'approve', 30);
  await round(30 + settled);
  expect((await dash.mails(person.email)).map(({ text }) => text)).toEqual([
    expect.stringContaining('“Undone Late”, which you submitted to harbour:\nIt is public now.'),
  ]);
  await undo(second, late, 90);
  await round(90 + settled);
  expect((await dash.mails(person.email)).at(-1)?.text).toContain('It waits for a decision again.');
});

test('nobody gets one about their own decision, without a confirmed address, after leaving, or who has chosen so', async () => {
  const unconfirmed = await member('member', false);
  const gone = await member('member');
  const none = await member('member');
  const browser = await dash.signedIn(none);
  await browser.open('/dash/me/mails');
  await browser.post('/dash/me/mails', { token: browser.hidden('token'), language: 'es' });
  expect(browser.text).toContain('Your choice is saved.');
  const before = (await dash.mails()).length;
  for (const account of [unconfirmed, gone, none, reviewer]) {
    const [id] = await submitted(account, 'Quiet Pantry');
    if (account === gone) await endMembership(dash.system, { team: 'harbour', user: gone.user }, context());
    await decide(id, 'approve', 1);
    await round(1 + settled);
  }
  expect(await dash.mails()).toHaveLength(before);
  await browser.open('/dash/me/mails');
  await browser.post('/dash/me/mails', { token: browser.hidden('token'), decisions: 'yes', language: 'es' });
  const [id] = await submitted(none, 'Despensa');
  await decide(id, 'approve', 1);
  await round(1 + settled);
  expect((await dash.mails(none.email))[0]?.text).toContain(
    '«Despensa», que usted envió a harbour:\nYa es público.',
  );
  const chosen = (await dash.events('user-')).filter(({ type }) => type === 'UserMailsChosen');
  expect(JSON.stringify(chosen), 'the language is sealed').not.toContain('"es"');
});
