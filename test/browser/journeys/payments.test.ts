import { describe, expect, test } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { screensAndOtherWay, startService, visit } from './journey.ts';

describe.skipIf(!hasChromium)('in a real browser, a payment', () => {
  const service = startService();

  test.each(screensAndOtherWay)(
    'is recorded once, however often it is sent, and reversed, on %s screen',
    { timeout: 120_000 },
    async (kind, screen) => {
      const { dash } = service;
      const team = `club-${screensAndOtherWay.findIndex(([each]) => each === kind)}`;
      await dash.team(team);
      const [account, member] = [
        await dash.account({ profile: { name: 'Ada Admin' } }),
        await dash.account({ profile: { name: 'Sam Sample' } }),
      ];
      await dash.member(team, account, 'admin');
      await dash.member(team, member, 'member');
      const recorded = async () =>
        (await dash.events('payment-')).filter(({ data }) => data['team'] === team);
      const admin = await visit(service, screen);
      const { page } = admin;
      const scripts = !('scripts' in screen);
      await admin.signIn(account);
      await admin.goTo('Payments');
      await admin.sees('No payment is recorded yet.');
      await admin.follow('Record a payment');

      // Every error stands beside its field, the first has the focus, and what was typed stays.
      await admin.fill(/^Amount/, 'twelve');
      await admin.fill(/^Currency/, 'XYZ');
      await admin.press('Record');
      await admin.sees('Choose a member of the team.');
      await page.locator('[name=member]:focus').waitFor();
      await admin.sees('Write the amount in digits, such as 12.50.');
      await admin.sees('This is not a currency in use.');
      expect(await page.locator('[name=amount]').inputValue()).toBe('twelve');
      await admin.looksRight('payment-wrong');
      await admin.choose('Member', `Sam Sample (${member.email})`);
      await admin.fill(/^Currency/, 'usd');
      await admin.fill(/^Amount/, '12.505');
      await admin.fill(/^Note/, 'Dues for March');
      await admin.press('Record');
      await admin.sees('Write at most 2 digits after the point');
      await page.locator('[name=amount]:focus').waitFor();
      await admin.fill(/^Amount/, '12.50');
      await admin.press('Record');
      await admin.sees('The payment is recorded.');
      await admin.sees('Dues for March');
      expect(await page.getByText('12.50 USD', { exact: true }).count()).toBeGreaterThan(0);
      await admin.looksRight('payments');
      expect((await recorded()).map(({ data }) => data['amount_minor'])).toEqual([1250]);

      // Back leads to the form as it was sent. Sending it again does nothing again.
      await admin.follow('Record a payment');
      await admin.choose('Member', `Sam Sample (${member.email})`);
      await admin.fill(/^Currency/, 'USD');
      await admin.fill(/^Amount/, '20');
      await admin.press('Record');
      await admin.sees('The payment is recorded.');
      await page.goBack();
      await admin.heading('Record a payment');
      expect(await page.locator('[name=amount]').inputValue()).toBe('20');
      await admin.press('Record');
      // Without scripts it cannot be known for the same form. The person is asked whether it is another payment.
      if (scripts) await admin.sees('The payment is recorded.');
      else {
        await admin.sees('Nothing is recorded yet.');
        await admin.looksRight('payment-again');
        await admin.goTo('Payments');
      }
      expect((await recorded()).map(({ data }) => data['amount_minor'])).toEqual([1250, 2000]);
      expect(await page.locator('main tbody tr').count()).toBe(2);

      await admin.follow('Details 20.00 USD');
      await page.locator('summary', { hasText: 'Reverse' }).click();
      await admin.press('Reverse 20.00 USD');
      await admin.sees('Say why, in one line');
      await page.locator('[name=reason]:focus').waitFor();
      await admin.looksRight('payment-reversing');
      await admin.follow('All payments');
      await admin.follow('Details 12.50 USD');
      await admin.sees('Ada Admin');
      await page.locator('summary', { hasText: 'Reverse' }).click();
      await admin.fill('Why', 'It was typed twice');
      await admin.press('Reverse 12.50 USD');
      await admin.sees('The payment is reversed.');
      await admin.sees('It was typed twice');
      await admin.looksRight('payment-reversed');
      // Back shows it as it is now: there is nothing to reverse any more.
      await page.goBack();
      await admin.sees('This payment is reversed: it was recorded by mistake.');
      expect(await page.locator('summary', { hasText: 'Reverse' }).count()).toBe(0);
      await admin.goTo('Payments');
      await page.getByRole('link', { name: 'reversed See the reversal' }).waitFor();
      await admin.looksRight('payments-reversed');
      expect((await recorded()).map(({ type }) => type)).toEqual([
        'PaymentRecorded',
        'PaymentRecorded',
        'PaymentReversed',
      ]);
      await admin.leave();
    },
  );
});
