import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Outbox } from '../../../src/mail/outbox.ts';
import { startSending } from '../../api/webhooks/dispatching.ts';
import { receiver, type Received, type Receiver } from '../../dispatch/receivers.ts';
import { until } from '../../support/until.ts';
import { hasChromium } from '../chromium.ts';
import { screens, screensAndNoScripts, startService, visit, type Visitor } from './journey.ts';

describe.skipIf(!hasChromium)('in a real browser, an admin', () => {
  const service = startService({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  let to: Receiver;
  let stopSending: () => Promise<void>;
  /** What the receiver answers, and what it was sent. */
  let status: number;
  let arrived: Received[];
  beforeAll(async () => {
    to = await receiver((response, request) => {
      arrived.push(request);
      response.writeHead(status).end(status === 204 ? undefined : 'The shelf is full.');
    });
    const { side, masterKey } = service.dash.system;
    stopSending = startSending(service.dash, {
      pauseRule: { afterMs: 0, deliveries: 2 },
      outbox: new Outbox({ side, masterKey }),
    });
  });
  afterAll(async () => {
    await stopSending();
    await to[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    [status, arrived] = [204, []];
  });

  const isSigned = (secret: string, { headers, body }: Received): boolean => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  const secretOf = async ({ page }: Visitor) =>
    (await page.getByRole('region', { name: 'Signing secret' }).locator('code').textContent()) ?? '';

  test.each(screensAndNoScripts)(
    'adds a webhook whose receiver fails, is told, repairs it, and replaces its secret, on %s screen',
    async (name, screen) => {
      const { dash } = service;
      const team = `library-${name.replace(/\W+/g, '-')}`;
      await dash.team(team);
      const account = await dash.account();
      await dash.member(team, account, 'admin');
      const paused = async () =>
        (await dash.events('webhook-subscription-')).filter(
          ({ type, data }) => type === 'SubscriptionAutoPaused' && data['team'] === team,
        );
      const failures = async () =>
        (await dash.events('webhook-delivery-')).filter(({ type }) => type === 'DeliveryFailed').length;
      const happens = () => dash.resources(1, { team });

      const admin = await visit(service, screen);
      await admin.signIn(account);
      await admin.goTo('Webhooks');
      await admin.follow('Add a webhook');
      await admin.fill(/^Address/, 'ftp://library.example/hook');
      await admin.press('Add a webhook');
      await admin.sees('Choose at least one event.');
      await admin.looksRight('webhook-wrong');
      expect(await admin.page.getByLabel('Address').inputValue()).toBe('ftp://library.example/hook');
      await admin.fill(/^Address/, to.url);
      await admin.page.getByRole('checkbox', { name: /^resource.approved/ }).check();
      await admin.press('Add a webhook');
      await admin.heading('The webhook is added');
      await admin.looksRight('webhook-added');
      const secret = await secretOf(admin);
      await admin.follow('Open the webhook');

      await admin.press('Send a test');
      await admin.sees('Your receiver accepted the test.');
      expect(arrived.map((each) => isSigned(secret, each))).toEqual([true]);

      // In another window the team had paused it, and that page is not opened again.
      await admin.follow('Overview');
      await admin.confirm('Pause');
      await admin.sees('The webhook is paused.');
      const stale = await admin.page.context().newPage();
      await stale.goto(admin.page.url());
      await admin.confirm('Resume');
      await admin.sees('The webhook is active again.');

      status = 500;
      // It is decided from a read model, which may not show the newest failure yet.
      while ((await paused()).length === 0) {
        const before = await failures();
        await happens();
        await until(async () => (await failures()) > before || (await paused()).length > 0);
        await dash.caughtUp();
      }
      await dash.caughtUp();
      await admin.goTo('Home');
      await admin.sees('1 webhook is paused because its receiver did not respond.');
      await admin.follow(/^Open the webhooks/);
      await admin.sees('paused by us');
      await admin.looksRight('webhooks-paused');
      await admin.follow(new URL(to.url).host);
      await admin.sees(/Every attempt has failed since/);
      await admin.looksRight('webhook-paused');
      const mail = await until(async () => (await dash.mails(account.email)).at(-1));
      expect(mail.text).toContain('Confirm healthy');

      await happens();
      await stale.locator('summary', { hasText: 'Resume' }).click();
      await stale.getByRole('button', { name: 'Resume' }).click();
      await stale.getByText('Use Confirm healthy: it becomes active when a test is accepted.').waitFor();
      await stale.close();
      await admin.press('Confirm healthy');
      await admin.sees('The test delivery was not accepted');
      await admin.looksRight('webhook-not-confirmed');
      await admin.sees(/deliver(y waits|ies wait)/);
      status = 204;
      await admin.press('Confirm healthy');
      await admin.sees('The webhook is active, and what waited is sent now.');
      await until(async () => {
        await admin.page.reload();
        return admin.page.getByText('Nothing waits to be sent.').isVisible();
      });

      await admin.follow('Deliveries');
      await admin.choose('State', 'failed');
      await admin.press('Filter');
      await admin.follow('resource.approved');
      await admin.sees('Attempt 1');
      await admin.page.locator('summary', { hasText: 'Text of the answer' }).click();
      await admin.sees('The shelf is full.');
      await admin.looksRight('delivery-failed');
      const sent = arrived.length;
      await admin.press('Send again');
      await admin.sees('It is sent again');
      await until(() => arrived.length === sent + 1);
      await dash.caughtUp();
      await admin.follow('Deliveries');
      await admin.looksRight('deliveries');

      await admin.followTab('Settings');
      await admin.confirm('Replace the secret');
      await admin.heading('The signing secret is replaced');
      const replaced = await secretOf(admin);
      await admin.follow('Open the webhook');
      expect(await admin.page.content()).not.toContain(replaced);
      await happens();
      const newest = await until(() => arrived.length === sent + 2 && arrived.at(-1));
      expect([isSigned(secret, newest), isSigned(replaced, newest)]).toEqual([false, true]);

      // What is gone for good is paused at once.
      status = 410;
      await happens();
      await until(async () => (await paused()).length === 2);
      await dash.caughtUp();
      await admin.follow('Overview');
      await admin.sees('The receiver answered 410 Gone.');
      await admin.followTab('Settings');
      await admin.looksRight('webhook-settings');
      await admin.confirm('Delete');
      await admin.sees('The webhook is deleted.');
      await admin.looksRight('webhook-deleted');
      await admin.follow('Deleted');
      await admin.sees(new URL(to.url).host);
      await admin.leave();
    },
  );

  test.each(screens)(
    'tries the test receiver, and is told why a signature fails, on %s screen',
    async (_name, screen) => {
      const { dash } = service;
      const team = `annex-${screen.width}`;
      await dash.team(team);
      const account = await dash.account();
      await dash.member(team, account, 'admin');
      const admin = await visit(service, screen);
      const { page } = admin;
      await admin.signIn(account);
      await admin.goTo('Webhooks');
      await admin.follow('Add a webhook');
      await page.getByRole('checkbox', { name: /^member.joined/ }).check();
      await admin.press('Use the test receiver');
      await admin.heading('The webhook is added');
      const secret = await secretOf(admin);
      await admin.follow('Open the test receiver');
      await admin.sees('Nothing has arrived yet.');
      await admin.looksRight('test-receiver-empty');
      await admin.follow('In use');
      await admin.follow('the test receiver');
      await admin.press('Send a test');
      await admin.sees('Your receiver accepted the test.');
      await page.locator('summary', { hasText: 'Lines for a terminal' }).click();
      await page.locator('summary', { hasText: 'With a line for each member' }).click();
      await admin.looksRight('delivery-to-repeat');
      await admin.goTo('Webhooks');
      await admin.follow('Test receiver');
      await admin.looksRight('test-receiver');
      await admin.follow('member.joined');
      await admin.looksRight('test-receiver-request');
      const shown = (name: string) =>
        page.getByRole('region', { name, exact: true }).locator('code').textContent();
      const [headers, body] = [(await shown('Headers')) ?? '', (await shown('Body')) ?? ''];

      await admin.goTo('Webhooks');
      await admin.follow('Check a signature');
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const check = async (pasted: { readonly body: string; readonly secret: string }) => {
        await page.getByLabel('Headers').fill(headers);
        await page.getByLabel('Body').fill(pasted.body);
        await page.getByLabel('Signing secret').fill(pasted.secret);
        await page.getByRole('button', { name: 'Check' }).click();
      };
      await check({ body, secret });
      await admin.sees('Valid.');
      await check({ body: JSON.stringify(JSON.parse(body), null, 2), secret });
      await admin.sees('Not valid: body changed.');
      await admin.looksRight('signature-body-changed');
      await check({ body, secret: `whsec_${btoa('x'.repeat(32))}` });
      await admin.sees('Not valid: wrong secret.');
      expect(requests).toEqual([]);
      expect(await page.content()).not.toContain(secret);
      await admin.leave();
    },
  );
});
