import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeHold } from '../../../src/commands/accounts/erasure.ts';
import { grantConsent } from '../../../src/commands/oauth/consent.ts';
import { recordPayment } from '../../../src/commands/payments/payment.ts';
import { context } from '../harness.ts';
import { password, startDashboard, type Account, type Dashboard } from './harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard({ environment: { SMTP_URL: 'smtp://localhost:2525' } });
});
afterAll(() => dash.stop());

const typesOf = async ({ user }: Account) => (await dash.events(`user-${user}`)).map(({ type }) => type);

describe('the page that erases an account', () => {
  test('says what will happen, asks for the password, and lets the person change their mind', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me');
    await browser.follow('Erase the account Member');
    expect(browser.heading).toBe('Erase your account');
    expect(browser.text).toContain('after 7 days');
    expect(browser.text).toContain('in our backups once those from before are removed');
    await browser.press('Erase my account', { password: 'not my password at all' });
    expect(browser.status).toBe(422);
    expect(await typesOf(account)).not.toContain('ErasureRequested');

    await browser.press('Erase my account', { password });
    expect(browser.text).toContain('Your account will be erased on');
    const [mail] = (await dash.mails(account.email)).slice(-1);
    expect(mail?.subject).toBe('Your Commonweal account will be erased');
    expect(mail?.text).toContain(`${dash.origin}/dash/me/erase`);

    await browser.open('/dash/me/erase');
    await browser.press('Keep my account');
    expect(browser.text).toContain('Your account stays as it is.');
    expect((await typesOf(account)).slice(-2)).toEqual(['ErasureRequested', 'ErasureWithdrawn']);
  });

  test('says that a legal hold delays it, and takes the request all the same', async () => {
    const account = await dash.account();
    await placeHold(dash.system, account.user, { reason: 'A case at court.' }, context());
    await dash.caughtUp();
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me/erase');
    expect(browser.text).toContain('must be kept for a legal reason');
    expect(browser.text).not.toContain('court');
    await browser.press('Erase my account', { password });
    expect(browser.text).toContain('Your account will be erased on');
    expect(browser.text).toContain('must be kept for a legal reason');
  });

  test('says what to do first where nobody could stand in, and what stays', async () => {
    const [ada, ben] = [await dash.account(), await dash.account()];
    await dash.team('quay');
    await dash.member('quay', ada, 'admin');
    await dash.member('quay', ben, 'member');
    const browser = await dash.signedIn(ada);
    await browser.open('/dash/me/erase');
    expect(browser.text).toContain('You are the only admin of the team quay.');
    await browser.post('/dash/me/erase', { token: browser.hidden('token'), password });
    expect(browser.status).toBe(409);
    expect(await typesOf(ada)).not.toContain('ErasureRequested');
  });
});

describe('the download of one’s own data', () => {
  test('has everything in clear, and is an event', async () => {
    const account = await dash.account({ profile: { name: 'Ada Lovelace', phone: '+1 555 0100' } });
    await dash.member('harbour', account, 'member');
    const site = await dash.site();
    const consenting = { user: account.user, client: site };
    await grantConsent(dash.system.store, consenting, ['openid', 'email'], context());
    const payment = {
      member_id: account.user,
      amount_minor: 1_250,
      currency: 'USD',
      memo: 'For the spring term',
    };
    await recordPayment(dash.system, 'harbour', payment, context());
    await placeHold(dash.system, account.user, { reason: 'A case at court.' }, context());
    await dash.caughtUp();
    const browser = await dash.signedIn(account);
    await browser.open('/dash/me');
    await browser.follow('Download Your data');
    await browser.press('Download', { password: 'not my password at all' });
    expect(browser.status).toBe(422);
    expect(await typesOf(account)).not.toContain('OwnDataExported');
    const answer = await fetch(`${dash.origin}/dash/me/data`, {
      method: 'POST',
      body: new URLSearchParams({ token: browser.hidden('token'), password }),
      headers: {
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
      },
    });
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await answer.text();
    expect(text).not.toContain('court');
    const data = JSON.parse(text) as Record<string, unknown>;
    expect(data).toMatchObject({
      account: { user: account.user, name: 'Ada Lovelace', email: account.email, phone: '+1 555 0100' },
      sites: [{ client: site, name: 'Harbour News', status: 'active', scopes: ['openid', 'email'] }],
      teams: [{ team: 'harbour', role: 'member', status: 'member' }],
      payments: [{ amount_minor: 1_250, currency: 'USD', memo: 'For the spring term' }],
    });
    expect(data['sessions']).toHaveLength(1);
    expect((data['events'] as { type: string; by: string }[]).at(-1)).toMatchObject({
      type: 'OwnDataExported',
      by: 'yourself',
    });
    expect(await typesOf(account)).toContain('OwnDataExported');
  });
});
