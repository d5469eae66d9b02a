import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiKey } from '../../../src/commands/keys.ts';
import { registerPerson } from '../../../src/commands/accounts/person.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { context } from '../harness.ts';
import { anAddress, startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library');
  admin = await dash.account({ profile: { name: 'Ada Admin' } });
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const page = '/dash/team?team=harbour';
const kinds = async () => (await dash.events('team-harbour')).map(({ type }) => type);

describe('the members of a team', () => {
  test('are shown with roles to every member, with addresses and invitations to admins only', async () => {
    const plain = await dash.account({ profile: { name: 'Mo Member' } });
    await dash.member('harbour', plain, 'member');
    await browser.open(page);
    expect(browser.heading).toBe('Members');
    for (const shown of ['Ada Admin', admin.email, 'Mo Member', plain.email, 'Invite somebody'])
      expect(browser.text).toContain(shown);
    const theirs = await dash.signedIn(plain);
    await theirs.open(page);
    expect(theirs.text).toContain('Ada Admin');
    for (const hidden of [admin.email, 'Invite somebody', 'Invitations waiting', 'Change'])
      expect(theirs.text).not.toContain(hidden);
    await theirs.post('/dash/team/invite', {
      team: 'harbour',
      email: anAddress(),
      role: 'admin',
      token: theirs.hidden('token'),
    });
    expect(theirs.status).toBe(404);
    await theirs.open(`/dash/team/members/${admin.user}?team=harbour`);
    expect(theirs.status).toBe(404);
  });

  test('are not shown to strangers, who learn nothing of the team', async () => {
    const stranger = await dash.signedIn(await dash.account());
    for (const team of ['harbour', 'no-such-team']) {
      await stranger.open(`/dash/team?team=${team}`);
      expect(stranger.status).toBe(404);
      expect(stranger.heading).toBe('Not for your role');
    }
  });

  test('have names that can do no harm', async () => {
    const name = '<script>alert(1)</script>';
    const hostile = await dash.account({ profile: { name } });
    await dash.member('harbour', hostile, 'member');
    await browser.open(page);
    expect(browser.html).not.toContain(name);
    expect(browser.text).toContain(name);
  });

  test('stand on pages of fifty', async () => {
    await dash.team('crowd');
    await dash.member('crowd', admin, 'admin');
    const { store, vault, personal } = dash.system;
    for (let n = 0; n < 51; n++) {
      const newcomer = { email: anAddress(), profile: { name: 'One Of Many' } };
      const { userId } = await registerPerson({ store, vault, personal }, newcomer, context());
      await joinTeam({ store, personal }, { team: 'crowd', user: userId, role: 'member' }, context());
    }
    await dash.caughtUp();
    await browser.open('/dash/team?team=crowd');
    expect(browser.html.match(/<th scope="row"/g)).toHaveLength(50);
    await browser.follow('Show more');
    expect(browser.html.match(/<th scope="row"/g)).toHaveLength(2);
    await browser.follow('Back to the first');
    expect(browser.html.match(/<th scope="row"/g)).toHaveLength(50);
  });
});

describe('an invitation', () => {
  test('is sent once by email, waits, and is withdrawn', async () => {
    const email = anAddress();
    await browser.open(page);
    const form = browser.forms().find(({ action }) => action === '/dash/t/harbour/team/invite');
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    values.set('email', email);
    values.set('role', 'reviewer');
    for (let n = 0; n < 2; n++) await browser.post('/dash/team/invite', values);
    expect(browser.text).toContain('its email waits in the outbox');
    // Only administrators can open it.
    expect(browser.text).not.toContain('Open the outbox');
    expect((await kinds()).filter((type) => type === 'MemberInvited')).toHaveLength(1);
    expect(await dash.mails(email)).toHaveLength(1);
    expect(browser.text).toContain(email);

    const link = await dash.link(email);
    await browser.press(`Withdraw ${email}`);
    expect(browser.text).toContain('Its link no longer works.');
    expect(browser.text).not.toContain(email);
    expect(await dash.mails(email), 'the address is in the email, too').toEqual([]);
    expect((await dash.browser().open(link)).status).toBe(410);
  });

  test('that is wrong says so beside the field, and keeps what was typed', async () => {
    const before = await kinds();
    await browser.open(page);
    const token = browser.hidden('token');
    const send = (email: string, role: string) =>
      browser.post('/dash/team/invite', { team: 'harbour', token, email, role });
    await send('not an address', 'reviewer');
    expect(browser.status).toBe(422);
    expect(browser.problem('email')).toContain('This is not an email address.');
    expect(browser.html).toContain('value="not an address"');
    expect(browser.html).toMatch(/value="reviewer"\s+checked/);
    await send(anAddress(), 'owner');
    expect(browser.problem('role')).toBe('Choose a role.');
    await send(admin.email, 'member');
    expect(browser.problem('email')).toContain('is a member of the team already');
    expect(await kinds()).toEqual(before);
  });
});

describe('a member', () => {
  test('gets another role', async () => {
    const account = await dash.account({ profile: { name: 'Rae Riser' } });
    await dash.member('harbour', account, 'member');
    await browser.open(page);
    await browser.follow('Change Rae Riser');
    await browser.post(`/dash/team/members/${account.user}/role`, {
      team: 'harbour',
      role: 'reviewer',
      token: browser.hidden('token'),
    });
    expect(browser.text).toContain('The role is changed.');
    expect((await dash.events('team-harbour')).at(-1)).toMatchObject({
      type: 'MemberRoleChanged',
      data: { user: account.user, role: 'reviewer' },
    });
  });

  test('who is the last admin stays one', async () => {
    const before = await kinds();
    await browser.open(`/dash/team/members/${admin.user}?team=harbour`);
    expect(browser.text).toContain('This is you.');
    const token = browser.hidden('token');
    await browser.post(`/dash/team/members/${admin.user}/role`, { team: 'harbour', role: 'member', token });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('This is the last admin of the team. Make another member an admin first.');
    const operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
    await operator.open(`/dash/team/members/${admin.user}?team=harbour`);
    await operator.press('Remove Ada Admin');
    expect(operator.status).toBe(409);
    expect(operator.text).toContain('This is the last admin of the team.');
    expect(await kinds()).toEqual(before);
  });

  test.each([false, true])('is removed; their keys are revoked when that is ticked: %s', async (revoke) => {
    const account = await dash.account({ profile: { name: 'Kit Keyholder' } });
    await dash.member('harbour', account, 'admin');
    const by = { ...context(), actor: { kind: 'user', id: account.user } as const };
    const wish = { kind: 'team', team: 'harbour', scopes: ['resources:read'], label: 'Old script' } as const;
    await createApiKey(dash.system, { ...wish, domains: [] }, randomBytes(32), by);
    await dash.caughtUp();
    await browser.open(`/dash/team/members/${account.user}?team=harbour`);
    expect(browser.text).toContain('Old script');
    const form = browser.forms().find(({ action }) => action.endsWith('/remove'));
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    if (revoke) values.set('revoke-keys', 'yes');
    await browser.post(form?.action ?? '', values);
    expect(browser.text).toContain(
      revoke ? 'and their keys are revoked' : 'The person no longer belongs to the team.',
    );
    expect((await dash.events('team-harbour')).at(-1)?.type).toBe('MemberLeft');
    const revoked = (await dash.events('api-key-')).filter(({ type }) => type === 'ApiKeyRevoked');
    expect(revoked).toHaveLength(revoke ? 1 : 0);
    await browser.open(`/dash/team/members/${account.user}?team=harbour`);
    expect(browser.status).toBe(404);
  });
});
