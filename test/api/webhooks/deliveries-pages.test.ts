import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiver, type Receiver } from '../../dispatch/receivers.ts';
import { until } from '../../support/until.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { startSending } from './dispatching.ts';

const list = '/dash/integrations/webhooks';

let dash: Dashboard;
let browser: PlainBrowser;
let to: Receiver;
/** Gone: the webhook is paused at once. */
let answerWith = 410;
let stop: () => Promise<void>;
/** The page of the webhook. */
let page = '';

beforeAll(async () => {
  dash = await startDashboard({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  to = await receiver((response) => response.writeHead(answerWith).end('<script>alert("text")</script>'));
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
  stop = startSending(dash);
  await browser.open(`${list}/new?team=harbour`);
  const form = browser.forms().find(({ action }) => action.endsWith('/webhooks/new'));
  const values = new URLSearchParams([...(form?.fields ?? [])].filter(([name]) => name !== 'events'));
  values.set('url', to.url);
  values.append('events', 'resource.approved');
  await browser.post(`${list}/new`, values);
  await browser.follow('Open the webhook');
  page = browser.url.pathname;
});
afterAll(async () => {
  await stop();
  await to[Symbol.asyncDispose]();
  await dash.stop();
});

const at = (rest = '') => `${page}${rest}?team=harbour`;
const kinds = async (stream: string) => (await dash.events(stream)).map(({ type }) => type);
const happened = (type: string, count: number) =>
  until(async () => (await kinds('webhook-')).filter((each) => each === type).length >= count);

describe('a webhook whose receiver fails', () => {
  test('is paused by us, says why, and is active again when a test is accepted', async () => {
    await dash.resources(1, { team: 'harbour' });
    await happened('SubscriptionAutoPaused', 1);
    await dash.resources(1, { team: 'harbour' });
    await happened('DeliveryScheduled', 2);
    await dash.caughtUp();
    await browser.open(`${list}?team=harbour`);
    expect(browser.text).toContain('paused by us');
    await browser.open(at());
    expect(browser.text).toContain('Every attempt has failed since');
    expect(browser.text).toContain('1 delivery waits');
    expect(browser.text).not.toContain('commonweal subscriptions');

    await browser.press('Confirm healthy');
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('The test delivery was not accepted');

    answerWith = 200;
    await browser.press('Confirm healthy');
    expect(browser.text).toContain('Your receiver accepted the test.');
    expect(await kinds('webhook-subscription-')).toEqual([
      'SubscriptionCreated',
      'SubscriptionAutoPaused',
      'SubscriptionHealthConfirmed',
    ]);
    // What waited, and the test.
    await happened('DeliverySucceeded', 2);
  });

  test('gets what failed again', async () => {
    await dash.caughtUp();
    await browser.open(at('/deliveries'));
    await browser.press('Send again', { 'failed-since': 'yesterday' });
    expect(browser.status).toBe(422);
    expect(browser.problem('failed-since')).toContain('Write a day or a time');
    expect(browser.html).toContain('value="yesterday"');
    await browser.press('Send again', { 'failed-since': '2999-01-01' });
    expect(browser.problem('failed-since')).toBe('This time is in the future.');
    await browser.press('Send again', { 'failed-since': '2020-01-01' });
    expect(browser.text).toContain('1 delivery is sent again.');
    await happened('DeliverySucceeded', 3);
  });

  test('gets events again since a time', async () => {
    await dash.caughtUp();
    await browser.open(at('/deliveries'));
    // No replay has ended there: a store may refuse to read from a position at which there is no event.
    const replayForm = browser.forms().find(({ action }) => action.includes('/replay'));
    await browser.post(replayForm?.action ?? '', {
      ...Object.fromEntries(replayForm?.fields ?? []),
      after: '0',
    });
    expect(browser.status).toBe(422);
    expect(browser.problem('replay-since')).toContain('Write a day or a time');
    await browser.open(at('/deliveries'));
    await browser.press('Send the events', { 'replay-since': '2020-01-01 10:30' });
    expect(browser.text).toContain('Events sent for the first time: 0. Sent again: 2.');
    await happened('DeliverySucceeded', 5);
  });
});

describe('a delivery', () => {
  test('is found by its state, page by page', async () => {
    await dash.caughtUp();
    await browser.open(`${at('/deliveries')}&status=failed`);
    expect(browser.text).toContain('resource.approved');
    expect(browser.text).toContain('test');
    await browser.open(`${at('/deliveries')}&status=parked`);
    expect(browser.text).toContain('No delivery was found.');
    await browser.open(`${list}/deliveries?team=harbour&from=2020-01-01`);
    expect(browser.text).toContain('resource.approved');
  });

  test('shows its body, each attempt and what caused it, and is sent again', async () => {
    await browser.open(`${at('/deliveries')}&status=delivered`);
    const [, path = ''] =
      /href="([^"]*deliveries\/[0-9a-f-]{36}[^"]*)"[^>]*>resource\.approved/.exec(browser.html) ?? [];
    await until(async () => {
      await browser.open(path.replaceAll('&#38;', '&'));
      return browser.text.includes('What came back');
    });
    expect(browser.text).toContain('"event":"resource.approved"');
    expect(browser.text).toContain('Attempt 2');
    expect(browser.text).toContain('X-Service-Signature');
    expect(browser.text).toContain('<script>alert("text")</script>');
    expect(browser.html).not.toContain('<script>alert');
    expect(browser.html).toMatch(/href="\/dash\/t\/harbour\/audit\/walk\/[0-9a-f-]{36}/);
    await browser.press('Send again');
    expect(browser.text).toContain('It is sent again');
  });

  test('of a test is shown with its outcome', async () => {
    await browser.open(at());
    await browser.press('Send a test');
    expect(browser.text).toContain('Your receiver accepted the test.');
    expect(browser.url.pathname).toMatch(/\/deliveries\/[0-9a-f-]{36}$/);
  });

  test('of another team is not found', async () => {
    const path = browser.url.pathname;
    const other = await dash.account();
    await dash.team('library');
    await dash.member('library', other, 'admin');
    const stranger = await dash.signedIn(other);
    for (const address of [`${path}?team=library`, `${page}?team=library`, `${path}?team=harbour`]) {
      await stranger.open(address);
      expect(stranger.status, address).toBe(404);
    }
  });
});

describe('the test receiver', () => {
  const received = `${list}/test-receiver`;

  test('is chosen by a button in place of an address, and shows what has arrived', async () => {
    await browser.open(`${received}?team=harbour`);
    expect(browser.text).toContain('No webhook of your team uses the test receiver.');
    await browser.follow('Add a webhook');
    const form = browser.forms().find(({ action }) => action.endsWith('/webhooks/new'));
    const values = new URLSearchParams([...(form?.fields ?? [])].filter(([name]) => name !== 'events'));
    values.set('to', 'test-receiver');
    values.set('name', 'Try <b>it</b>');
    await browser.post(`${list}/new`, values);
    expect(browser.problem('events')).toBe('Choose at least one event.');
    values.append('events', 'resource.approved');
    await browser.post(`${list}/new`, values);
    expect(browser.text).toContain('whsec_');
    await browser.follow('Open the test receiver');
    expect(browser.text).toContain('Nothing has arrived yet.');

    await browser.open(`${list}?team=harbour`);
    expect(browser.text).toContain('Try <b>it</b>');
    expect(browser.html).not.toContain('<b>it</b>');
    await browser.follow('Try <b>it</b>');
    const ofTest = browser.url.pathname;
    await browser.press('Send a test');
    expect(browser.text).toContain('Your receiver accepted the test.');
    await browser.open(`${received}?team=harbour`);
    expect(browser.text).toContain('valid');
    await browser.follow('resource.approved');
    expect(browser.text).toContain('X-Service-Test: true');
    expect(browser.text).toContain('"event":"resource.approved"');
    expect(browser.text).toContain('{ "event": "resource.approved",');

    // The settings take an address from then on, and keep the test receiver without one.
    await browser.open(`${ofTest}/settings?team=harbour`);
    await browser.press('Save', { url: '', events: 'resource.approved' });
    expect(browser.text).toContain('the test receiver');
    await browser.open(`${ofTest}/settings?team=harbour`);
    await browser.press('Save', { url: to.url, events: 'resource.approved' });
    expect(browser.text).toContain(`127.0.0.1:${to.port}`);
  });

  test('is that of its team alone', async () => {
    await browser.open(`${received}?team=harbour`);
    const [, path = ''] = /href="([^"]*test-receiver\/[^"?]+)[^"]*"/.exec(browser.html) ?? [];
    const other = await dash.account();
    await dash.team('school');
    await dash.member('school', other, 'admin');
    const stranger = await dash.signedIn(other);
    await stranger.open(`${received}?team=school`);
    expect(stranger.text).not.toContain('resource.approved');
    for (const address of [`${path}?team=school`, path.replace('/t/harbour/', '/t/school/'), path]) {
      await stranger.open(address);
      expect(stranger.status, address).toBe(404);
    }
    await browser.open(`${received}/2026-01-01T00:00:00.000Z_x_1?team=harbour`);
    expect(browser.status).toBe(404);
  });
});

test('a webhook gets a name, and loses it', async () => {
  await browser.open(at('/settings'));
  await browser.press('Save the name', { name: 'Member list' });
  expect(browser.text).toContain('The name is saved.');
  expect(browser.html).toMatch(/<h1[^>]*>\s*Member list/);
  for (const name of ['gnp\u202e.exe', 'x'.repeat(61)]) {
    await browser.open(at('/settings'));
    await browser.press('Save the name', { name });
    expect(browser.status).toBe(422);
    expect(browser.problem('name')).toBeDefined();
  }
  await browser.open(at('/settings'));
  await browser.press('Save the name', { name: '' });
  expect(browser.html).toMatch(/<h1[^>]*>\s*127\.0\.0\.1/);
});

describe('deliveries are found', () => {
  const found = async (query: string) => {
    await browser.open(`${list}/deliveries?team=harbour&${query}`);
    return browser.text;
  };

  test('by event, words of the body and day', async () => {
    await dash.caughtUp();
    expect(await found('event=resource.approved')).toContain('Newest answer');
    expect(await found('event=member.left')).toContain('No delivery was found.');
    expect(await found('words=harbour+PANTRY')).toContain('Newest answer');
    expect(await found('words=harbour+nowhere')).toContain('No delivery was found.');
    expect(await found('words=410')).toContain('Newest answer');
    const [, id = ''] = /deliveries\/([0-9a-f-]{36})/.exec(browser.html) ?? [];
    expect(await found(`words=${id}`)).toContain('Newest answer');
  });

  test.each(['from=yesterday', 'to=2026-02-31', 'from=2026-13-01'])(
    'not by a day that is none, which is said: %s',
    async (query) => {
      const text = await found(query);
      expect(text).toContain('Write a day, such as 2026-01-31.');
      expect(text).not.toContain('Newest answer');
    },
  );
});

test('what waits is sent now, by itself and all of it, and events up to an end', async () => {
  await browser.open(at('/deliveries'));
  await browser.press('Send now');
  expect(browser.text).toContain('0 deliveries are sent again.');
  await browser.open(at('/deliveries'));
  await browser.press('Send the events', { 'replay-since': '2020-01-01', 'replay-until': '2020-02-01' });
  expect(browser.text).toContain('Events sent for the first time: 0. Sent again: 0.');
  await browser.open(at('/deliveries'));
  await browser.press('Send the events', { 'replay-since': '2020-02-01', 'replay-until': '2020-01-01' });
  expect(browser.problem('replay-until')).toBe('The end is before the beginning.');
  await browser.open(at('/deliveries'));
  await browser.press('Send the events', { 'replay-since': '2020-01-01', 'replay-until': 'someday' });
  expect(browser.problem('replay-until')).toBeDefined();
});

test('the page that checks signatures holds no form, and may connect to nothing', async () => {
  await browser.open(`${list}/signature?team=harbour`);
  expect(browser.text).toContain('Why does my signature fail?');
  expect(browser.html).toMatch(/<script[^>]*\/signature\.js/);
  const [, part = ''] =
    /<section class="card" data-signature[^>]*>([^]*?)<\/section>/.exec(browser.html) ?? [];
  expect(part).toContain('signed-secret');
  expect(part).not.toContain('<form');
});
