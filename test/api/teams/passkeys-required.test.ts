import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { givePasskey, madePasskey, type SoftPasskey } from '../accounts/soft-passkey.ts';
import { password } from '../accounts/harness.ts';

let dash: Dashboard;
let admin: { account: Account; passkey: SoftPasskey };
beforeAll(async () => {
  dash = await startDashboard();
  const account = await dash.account();
  await dash.member('harbour', account, 'admin');
  admin = { account, passkey: await givePasskey(dash, account) };
});
afterAll(() => dash.stop());

const teamPages = ['/dash?team=harbour', '/dash/team?team=harbour', '/dash/resources?team=harbour'];
const byPasskey = async (passkey: SoftPasskey): Promise<PlainBrowser> => {
  const browser = await dash.browser().open('/dash/sign-in');
  return browser.post('/dash/sign-in/passkey', passkey.answerTo(browser));
};
const members = (browser: PlainBrowser) => browser.open('/dash/team?team=harbour');

describe('a team that requires passkeys', () => {
  test('asks who requires them to have one', async () => {
    const other = await dash.account();
    await dash.team('quay');
    await dash.member('quay', other, 'admin');
    const browser = await dash.signedIn(other);
    await browser.open('/dash/team?team=quay');
    await browser.press('Require passkeys');
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Add a passkey to your own account first.');
    expect((await dash.events('team-quay')).map(({ type }) => type)).not.toContain('TeamPasskeysRequired');
  });

  test('leads who has none to add one, then serves its pages; sites and the account stay open', async () => {
    const browser = await byPasskey(admin.passkey);
    await members(browser);
    await browser.press('Require passkeys');
    expect(browser.text).toContain('From now on the pages of the team ask for a passkey.');
    const account = await dash.account();
    await dash.member('harbour', account, 'admin');
    const person = await dash.browser().open('/dash/sign-in');
    await person.press('Sign in', { email: account.email, password });
    for (const page of teamPages) {
      await person.open(page);
      expect(person.heading, page).toBe('Add a passkey first');
      expect(person.status).toBe(403);
    }
    const audit = await person.open('/dash/audit?team=harbour');
    expect(audit.heading).toBe('Add a passkey first');
    await person.open(dash.asked(await dash.site()));
    expect(person.status, 'signing in to a site').toBe(200);
    expect(person.text).toContain('Allow');
    await person.open('/dash/me');
    expect(person.status).toBe(200);
    await person.open('/dash/me/passkeys');
    await person.post('/dash/me/passkeys', { ...madePasskey(person), password, label: '' });
    expect(person.text).toContain('The passkey is added.');
    await members(person);
    expect(person.heading, 'in the session in which it was added').toBe('Members');
    const again = await dash.browser().open('/dash/sign-in');
    await again.press('Sign in', { email: account.email, password });
    await members(again);
    expect(again.heading, 'a password is not enough').toBe('Sign in with your passkey');
    await members(browser);
    await browser.press('Require them no more');
    await members(again);
    expect(again.heading).toBe('Members');
  });

  test('does not lock out its only admin, who has lost the passkey', async () => {
    await dash.team('pier');
    const account = await dash.account();
    await dash.member('pier', account, 'admin');
    const passkey = await givePasskey(dash, account);
    const browser = await byPasskey(passkey);
    await browser.open('/dash/team?team=pier');
    await browser.press('Require passkeys');
    await browser.open('/dash/me/passkeys');
    await browser.follow('Remove this passkey');
    await browser.press('Remove', { password });
    const later = await dash.browser().open('/dash/sign-in');
    await later.press('Sign in', { email: account.email, password });
    await later.open('/dash/team?team=pier');
    expect(later.heading).toBe('Members');
    const second = await dash.account();
    await dash.member('pier', second, 'member');
    const member = await dash.browser().open('/dash/sign-in');
    await member.press('Sign in', { email: second.email, password });
    await member.open('/dash/team?team=pier');
    expect(member.heading).toBe('Add a passkey first');
    const token = later.hidden('token');
    await member.post('/dash/team/passkeys', { token, team: 'pier', required: 'no' });
    expect(member.status).toBe(403);
  });
});
