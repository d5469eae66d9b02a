import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let payer: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library');
  const admin = await dash.account({ profile: { name: 'Ada Admin' } });
  payer = await dash.account({ profile: { name: '<b>Pat</b> Payer' } });
  await dash.member('harbour', admin, 'admin');
  await dash.member('library', admin, 'admin');
  await dash.member('harbour', payer, 'member');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const page = '/dash/team/payments?team=harbour';
const events = () => dash.events('payment-');

/** Fills in the form that records a payment, which is on the page, and sends it `times`. */
async function record(typed: Record<string, string>, times = 1): Promise<void> {
  const form = browser.forms().find(({ action }) => action.endsWith('/record'));
  const values = new URLSearchParams([...(form?.fields ?? [])]);
  for (const [name, value] of Object.entries({ member: payer.user, ...typed })) values.set(name, value);
  for (let n = 0; n < times; n++) await browser.post('/dash/team/payments/record', values);
}

describe('payments', () => {
  test('are recorded exactly, once however often the form is sent, and stand in the ledger', async () => {
    await browser.open(page);
    expect(browser.text).toContain('No payment is recorded yet.');
    await browser.follow('Record a payment');
    await record({ amount: '4.35', currency: 'usd', memo: 'Dues for March', date: '2026-03-31' }, 2);
    expect(browser.text).toContain('The payment is recorded.');
    for (const shown of ['4.35 USD', '<b>Pat</b> Payer', '31 March 2026', 'Dues for March', 'recorded'])
      expect(browser.text).toContain(shown);
    expect(browser.html).not.toContain('<b>Pat</b>');
    const all = await events();
    expect(all).toHaveLength(1);
    expect(all[0]?.data).toMatchObject({
      amount_minor: 435,
      currency: 'USD',
      member: payer.user,
      occurred_at: '2026-03-31T12:00:00.000Z',
    });
  });

  test.each([
    ['amount', 'twelve', 'Write the amount in digits'],
    ['amount', '0.00', 'more than nothing'],
    ['amount', '1.999', 'at most 2 digits'],
    ['amount', '1,250', 'Write the amount in digits'],
    ['currency', 'XXX', 'not a currency in use'],
    ['date', '2026-02-30', 'Write a day as'],
    ['date', '2999-01-01', 'cannot be in the future'],
    ['memo', 'x'.repeat(201), 'at most 200 characters'],
    ['member', '', 'Choose a member'],
  ])('with a wrong %s (%s) are not recorded, and what was typed stays', async (name, typed, said) => {
    const before = await events();
    await browser.open('/dash/team/payments/record?team=harbour');
    await record({ amount: '12.50', currency: 'USD', memo: 'Kept note', [name]: typed });
    expect(browser.status).toBe(422);
    expect(browser.problem(name)).toContain(said);
    if (name !== 'memo') expect(browser.html).toContain('value="Kept note"');
    expect(await events()).toEqual(before);
  });

  test('of the same member, amount and day are recorded again only by who says that it is another', async () => {
    const typed = { amount: '4.35', currency: 'USD', memo: 'By the treasurer too', date: '2026-03-31' };
    await browser.open('/dash/team/payments/record?team=harbour');
    await record(typed);
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('a payment of the same amount on the same day already');
    expect(browser.html).toContain('value="By the treasurer too"');
    expect(await events()).toHaveLength(1);
    await record({ ...typed, another: 'yes' });
    expect(browser.text).toContain('The payment is recorded.');
    expect(await events()).toHaveLength(2);
    await browser.open('/dash/team/payments/record?team=harbour');
    await record({ ...typed, date: '2026-03-30' });
    expect(await events()).toHaveLength(3);
  });

  test('are reversed with a reason, once, and lead to their reversal', async () => {
    await browser.open('/dash/team/payments/record?team=harbour');
    await record({ amount: '1250', currency: 'JPY', date: '2026-03-30' });
    await browser.follow('Details 1250 JPY');
    const { pathname } = browser.url;
    await browser.press('Reverse 1250 JPY', { reason: ' ' });
    expect(browser.status).toBe(422);
    expect(browser.problem('reason')).toContain('Say why');
    await browser.press('Reverse 1250 JPY', { reason: 'Recorded twice' });
    expect(browser.text).toContain('The payment is reversed.');
    expect(browser.text).toContain('Recorded twice');
    expect(browser.html).toContain('id="reversal"');
    expect(browser.text).toContain('by Ada Admin');
    await browser.post(`${pathname}/reverse`, {
      team: 'harbour',
      reason: 'Again',
      token: browser.hidden('token'),
    });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('The payment is reversed already.');
    await browser.open(page);
    expect(browser.text).toContain('reversed See the reversal');
    const reversed = (await events()).filter(({ type }) => type === 'PaymentReversed');
    expect(reversed).toHaveLength(1);
    expect(JSON.stringify(reversed)).not.toContain('Recorded twice');
  });

  test('of one member are shown alone', async () => {
    await browser.open(`${page}&member=${payer.user}`);
    expect(browser.text).toContain('4.35 USD');
    const another = await dash.account();
    await browser.open(`${page}&member=${another.user}`);
    expect(browser.text).toContain('No payment of this member is recorded.');
  });

  test('are for admins of their team alone', async () => {
    await browser.open(page);
    await browser.follow('Details 4.35 USD');
    const { path: pathname } = browser;
    await browser.open(`${pathname}?team=library`);
    expect(browser.status).toBe(404);
    const before = await events();
    await browser.open('/dash/team/payments/record?team=library');
    await browser.post(`${pathname}/reverse`, {
      team: 'library',
      reason: 'Not ours',
      token: browser.hidden('token'),
    });
    expect(browser.status).toBe(404);
    const member = await dash.signedIn(payer);
    for (const path of [page, `${pathname}?team=harbour`, '/dash/team/payments/record?team=harbour'])
      expect((await member.open(path)).status).toBe(404);
    expect(await events()).toEqual(before);
  });
});
