import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeMemberRole, endMembership, joinTeam } from '../../../src/commands/teams/member.ts';
import { expireInvitation, withdrawInvitation } from '../../../src/commands/teams/invitation.ts';
import { writeInvitationLink } from '../../../src/commands/teams/invitation-link.ts';
import { requireTeam } from '../../../src/commands/teams/team.ts';
import { redacted } from '../../../src/api/http/redact.ts';
import { context } from '../harness.ts';
import { anAddress, password, startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard({ environment: { INVITATIONS_PER_DAY: '1000' } });
});
afterAll(() => dash.stop());

const roles = async (team = 'harbour') => (await requireTeam(dash.system.store, team)).members;
const joinedEvents = async (user: string) =>
  (await dash.events('team-harbour')).filter(
    ({ type, data }) => type === 'MemberJoined' && data['user'] === user,
  );

async function invited(role: 'admin' | 'reviewer' | 'member' = 'member', account?: Account) {
  const to = account ?? (await dash.account());
  const made = await dash.invited('harbour', to.email, role);
  return { ...to, ...made, link: await dash.link(to.email) };
}

describe('the email of an invitation', () => {
  test('names the team, the role and the time, and has the one copy of the link', async () => {
    const email = anAddress();
    const { invitation } = await dash.invited('harbour', email, 'reviewer', new Date());
    const [mail, ...more] = await dash.mails(email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Invitation to harbour');
    expect(mail?.text).toMatch(/^harbour invites you to join the team as a reviewer\./m);
    expect(mail?.text).toMatch(/works once, until \d+ \w+ \d{4} at \d\d:\d\d UTC/);
    const link = await dash.link(email);
    expect(link).toMatch(/^\/dash\/join\/harbour\?link=lnk_[0-9A-Za-z]{49}$/);
    const token = new URLSearchParams(link.split('?')[1]).get('link') ?? '';
    const log = JSON.stringify(await dash.events('team-harbour'));
    expect(log).toContain(invitation);
    expect(log).not.toContain(token);
    expect(log).not.toContain(email);
    const onTheWay = `/dash/sign-in?to=${encodeURIComponent(link)}`;
    for (const target of [link, onTheWay]) expect(redacted(target)).not.toContain(token.slice(4));
  });
});

describe('joining by the link', () => {
  test('leads who has an account over signing in', async () => {
    const { user, email, link } = await invited('reviewer');
    const browser = await dash.browser().open(link);
    await browser.follow('Sign in');
    await browser.press('Sign in', { email, password });
    await browser.press('Join harbour as reviewer');
    expect(browser.text).toContain('You have joined the team.');
    expect((await roles()).get(user)).toBe('reviewer');
    const subjects = (await dash.mails(email)).map(({ subject }) => subject);
    expect(subjects, 'nobody needs its link any more').not.toContain('Invitation to harbour');
    expect(await joinedEvents(user)).toMatchObject([{ data: { role: 'reviewer' } }]);
  });

  test('changes nothing when the link is opened, and takes no form without its token', async () => {
    const { user, link, ...account } = await invited();
    const browser = await dash.signedIn({ user, email: account.email });
    await browser.open(link);
    expect((await roles()).has(user)).toBe(false);
    const sealed = browser.hidden('link');
    for (const values of [{ link: sealed }, { link: sealed, token: 'rubbish' }] as const) {
      await browser.post('/dash/join/harbour', values);
      expect(browser.status).toBe(403);
    }
    await browser.open(link);
    const token = browser.hidden('token');
    await browser.post('/dash/join/harbour', { link: sealed, token }, { 'sec-fetch-site': 'cross-site' });
    expect(browser.status).toBe(403);
    expect((await roles()).has(user)).toBe(false);
  });

  test('is for the invited address: another account is told so and cannot post either', async () => {
    const { link, email } = await invited('admin');
    const mallory = await dash.account();
    const browser = await dash.signedIn(mallory);
    await browser.open(link);
    expect(browser.text).toContain(`You are signed in as ${mallory.email}, which is another address.`);
    expect(browser.text).toContain(email);
    expect(browser.html).not.toContain('Join harbour as admin');
    // The token of another form of theirs is as good.
    const own = await invited('member', mallory);
    await browser.open(own.link);
    const token = browser.hidden('token');
    const admin = new URLSearchParams(link.split('?')[1]).get('link') ?? '';
    await browser.post('/dash/join/harbour', { token, link: admin });
    expect(browser.text).toContain('which is another address');
    expect((await roles()).has(mallory.user)).toBe(false);
    await browser.press('Sign out');
    expect(browser.heading).toBe('Sign in');
  });

  test('confirms no address by itself: whoever registers it without its mailbox stays out', async () => {
    const email = anAddress();
    await dash.invited('harbour', email, 'admin');
    const thief = await dash.browser().open(await dash.link(email));
    await thief.open('/dash/register');
    await thief.press('Create account', { name: 'A Thief', email, password });
    await thief.open('/dash/sign-in');
    await thief.press('Sign in', { email, password });
    expect(thief.status).toBe(422);
  });

  test('lets one of two presses at the same moment join, and both see that they belong', async () => {
    const { user, email, link } = await invited('admin');
    const both = await Promise.all([dash.signedIn({ user, email }), dash.signedIn({ user, email })]);
    for (const browser of both) await browser.open(link);
    await Promise.all(both.map((browser) => browser.press('Join harbour as admin')));
    for (const browser of both) expect(browser.heading).toMatch(/^(Your teams|You belong to harbour)$/);
    expect(await joinedEvents(user)).toHaveLength(1);
  });
});

describe('the page of an invitation says in words', () => {
  const said = async (link: string, account?: Account) => {
    const browser = account ? await dash.signedIn(account) : dash.browser();
    const { status, heading, text } = await browser.open(link);
    return { status, heading, text };
  };
  const unusable = (text: RegExp, status = 410) => ({
    status,
    heading: 'This invitation cannot be used',
    text: expect.stringMatching(text) as string,
  });

  test('that it was used, and to who used it, that they belong', async () => {
    const { user, email, link } = await invited();
    const browser = await dash.signedIn({ user, email });
    await browser.open(link);
    await browser.press('Join harbour as member');
    expect(await said(link)).toMatchObject(unusable(/used already/));
    expect(await said(link, { user, email })).toMatchObject({
      status: 200,
      heading: 'You belong to harbour',
    });
    await endMembership(dash.system, { team: 'harbour', user }, context());
    expect(await said(link, { user, email }), 'after leaving').toMatchObject(unusable(/used already/));
  });

  test('that it was withdrawn, replaced, or not needed', async () => {
    const account = await dash.account();
    const first = await invited('admin', account);
    const second = await invited('member', account);
    expect(await said(first.link)).toMatchObject(unusable(/newer invitation.*newest email/));
    const wish = { team: 'harbour', invitation: second.invitation };
    await withdrawInvitation(dash.system, wish, context());
    expect(await said(second.link)).toMatchObject(unusable(/was withdrawn/));
    const third = await invited('member', account);
    await joinTeam(dash.system, { team: 'harbour', user: account.user, role: 'member' }, context());
    expect(await said(third.link)).toMatchObject(unusable(/added to the team without/));
  });

  test('that it has expired, before and after that is recorded', async () => {
    const email = anAddress();
    const longAgo = new Date(Date.now() - 7 * 86_400_000);
    const { invitation } = await dash.invited('harbour', email, 'member', longAgo);
    // The outbox holds no mail that is over its time.
    const token = await writeInvitationLink(dash.system.vault, { team: 'harbour', invitation });
    const path = `/dash/join/harbour?link=${token}`;
    expect(await said(path)).toMatchObject(unusable(/has expired.*Ask the team for a new one/));
    await expireInvitation(dash.system, { team: 'harbour', invitation }, context());
    expect(await said(path)).toMatchObject(unusable(/has expired/));
  });

  test('that its team or the invitation is not known, as after a restored backup', async () => {
    const invitation = crypto.randomUUID();
    const token = (team: string) => writeInvitationLink(dash.system.vault, { team, invitation });
    expect(await said(`/dash/join/nobody?link=${await token('nobody')}`)).toMatchObject(
      unusable(/do not know the team/, 404),
    );
    expect(await said(`/dash/join/harbour?link=${await token('harbour')}`)).toMatchObject(
      unusable(/do not know this invitation/, 404),
    );
  });

  test.each([
    ['a cut link', (link: string) => link.slice(0, -2)],
    ['no link', () => '/dash/join/harbour'],
    ['rubbish', () => '/dash/join/harbour?link=lnk_0'],
    ['the link of another team', (link: string) => link.replace('harbour', 'commons')],
    ['no team', (link: string) => link.replace('harbour', '%00')],
  ])('that %s does not work', async (_, broken) => {
    const { link } = await invited();
    expect(await said(broken(link))).toMatchObject({ status: 400, heading: 'This link does not work' });
  });
});

describe('leaving', () => {
  test('ends at once what the role allowed', async () => {
    const [stays, goes] = [await dash.account(), await dash.account()];
    await dash.member('harbour', stays, 'admin');
    await dash.member('harbour', goes, 'admin');
    const browser = await dash.signedIn(goes);
    expect((await browser.open('/dash/sites/oauth/new?team=harbour')).status).toBe(200);
    await browser.open('/dash/me');
    await browser.follow('View Teams');
    await browser.press('Leave harbour');
    expect(browser.text).toContain('You have left the team.');
    expect(browser.text).toContain('You belong to no team.');
    expect((await browser.open('/dash/sites/oauth/new?team=harbour')).status).toBe(404);
  });

  test('is refused to the last admin, with what to do', async () => {
    await dash.team('quay');
    const account = await dash.account();
    await dash.member('quay', account, 'admin');
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me/teams');
    await browser.press('Leave quay');
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Make another member an admin first, then leave.');
    expect((await roles('quay')).get(account.user)).toBe('admin');
    const other = await dash.account();
    await dash.member('quay', other, 'member');
    await changeMemberRole(dash.system, { team: 'quay', user: other.user, role: 'admin' }, context());
    await browser.press('Leave quay');
    expect(browser.text).toContain('You have left the team.');
  });

  test('takes a team that is none, or somebody else’s, for nothing to leave', async () => {
    await dash.team('pier');
    const browser = await dash.signedIn(await dash.account());
    await browser.open('/dash/me/password');
    const token = browser.hidden('token');
    for (const team of ['', 'NO SLUG', 'pier', 'nobody']) {
      await browser.post('/dash/me/teams/leave', { token, team });
      expect([200, 404], team).toContain(browser.status);
    }
  });
});
