import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { commandDelivery } from '../../../src/commands/webhooks/delivery.ts';
import { scheduleTest } from '../../../src/dispatch/operations/test-delivery.ts';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { until } from '../../support/until.ts';
import { context } from '../harness.ts';

const list = '/dash/integrations/webhooks';
const environment = {
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  WEBHOOK_SUBSCRIPTIONS_PER_TEAM: '5',
  WEBHOOK_HELD_DAYS: '12',
};

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard({ environment });
  await dash.team('library');
  admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const kinds = async () => (await dash.events('webhook-subscription-')).map(({ type }) => type);

/** Adds a webhook. The browser stands on its page. Answers the path. */
async function added(url = 'http://127.0.0.1:9/hook'): Promise<string> {
  await add(browser, { url, events: ['member.joined', 'resource.approved'] });
  await browser.follow('Open the webhook');
  return browser.url.pathname;
}

async function add(
  by: PlainBrowser,
  { url, events }: { readonly url: string; readonly events: readonly string[] },
): Promise<void> {
  await by.open(`${list}/new?team=harbour`);
  const form = by.forms().find(({ action }) => action.endsWith('/webhooks/new'));
  const values = new URLSearchParams([...(form?.fields ?? [])].filter(([name]) => name !== 'events'));
  values.set('url', url);
  for (const event of events) values.append('events', event);
  await by.post(`${list}/new`, values);
}

describe('adding a webhook', () => {
  test('shows the signing secret once, and what is sent', async () => {
    await browser.open(`${list}?team=harbour`);
    expect(browser.text).toContain('Your team has no webhooks yet.');
    await browser.follow('Add a webhook');
    expect(browser.text).toContain('A person joined the organization');
    await add(browser, { url: 'http://127.0.0.1:9/hook', events: ['member.joined'] });
    expect(browser.text).toContain('whsec_');
    expect(browser.url.href).not.toContain('whsec_');
    await browser.follow('Open the webhook');
    expect(browser.html).not.toContain('whsec_');
    expect(browser.text).toContain('127.0.0.1:9');
    expect(await kinds()).toEqual(['SubscriptionCreated']);
  });

  test('says what is wrong beside the field, and keeps what was typed', async () => {
    await add(browser, { url: 'ftp://harbour.example/hook', events: ['form.submitted'] });
    expect(browser.status).toBe(422);
    expect(browser.problem('url')).toBeDefined();
    expect(browser.html).toContain('value="ftp://harbour.example/hook"');
    expect(browser.html).toMatch(/value="form.submitted"\s+checked/);
    await add(browser, { url: 'http://127.0.0.1:9/hook', events: [] });
    expect(browser.problem('events')).toBe('Choose at least one event.');
    expect(await kinds()).toEqual(['SubscriptionCreated']);
  });
});

describe('the settings', () => {
  test('save the address and the events, and hold back what would overwrite a change of somebody else', async () => {
    const page = await added();
    const second = await dash.signedIn(admin);
    await second.open(`${page}/settings?team=harbour`);
    await browser.open(`${page}/settings?team=harbour`);
    await browser.press('Save', { url: 'http://127.0.0.1:9/moved', events: 'form.submitted' });
    expect(browser.text).toContain('Your changes are saved.');
    await browser.open(`${page}/settings?team=harbour`);
    expect(browser.html).toContain('value="http://127.0.0.1:9/moved"');
    const before = (await kinds()).length;
    await second.press('Save', { url: 'http://127.0.0.1:9/elsewhere' });
    expect(second.status).toBe(409);
    expect(second.text).toContain('Somebody else has changed this');
    expect(second.text).toContain('http://127.0.0.1:9/moved');
    expect(second.html).toContain('value="http://127.0.0.1:9/elsewhere"');
    expect((await kinds()).length).toBe(before);
    await second.press('Save');
    await second.open(`${page}/settings?team=harbour`);
    expect(second.html).toContain('value="http://127.0.0.1:9/elsewhere"');
  });

  test('replace the secret, which is shown once, also when the form is sent twice', async () => {
    const page = await added();
    await browser.open(`${page}/settings?team=harbour`);
    const form = browser.forms().find(({ action }) => action === `${page}/rotate`);
    const send = () => browser.post(`${page}/rotate`, new URLSearchParams([...(form?.fields ?? [])]));
    await send();
    expect(browser.text).toContain('whsec_');
    await send();
    expect(browser.text).not.toContain('whsec_');
    expect(browser.text).toContain('The secret was replaced already.');
    expect((await kinds()).filter((type) => type === 'SubscriptionSecretRotated')).toHaveLength(1);
  });

  test('prepare the next secret, which is shown once, and activate it', async () => {
    const page = await added();
    await browser.open(`${page}/settings?team=harbour`);
    await browser.press('Prepare the next secret');
    expect(browser.text).toContain('whsec_');
    await browser.follow('Back to the settings');
    expect(browser.text).not.toContain('whsec_');
    expect(browser.text).toContain('The next secret has been ready since');
    const old = await dash.signedIn(admin);
    await old.open(`${page}/settings?team=harbour`);
    await browser.press('Prepare another one 127.0.0.1:9');
    // A page from before must not activate a secret that whoever looks at it has not seen.
    await old.press('Activate the next secret 127.0.0.1:9');
    expect(old.status).toBe(409);
    expect(old.text).toContain('Another signing secret was prepared meanwhile.');
    await browser.follow('Back to the settings');
    const form = browser.forms().find(({ action }) => action === `${page}/activate`);
    const doubled = new URLSearchParams([...(form?.fields ?? [])]);
    const unsaid = new URLSearchParams(doubled);
    unsaid.delete('secret');
    doubled.append('secret', 'another');
    for (const sent of [unsaid, doubled]) {
      await browser.post(`${page}/activate`, sent);
      expect(browser.status).toBe(400);
    }
    expect((await kinds()).at(-1)).toBe('SubscriptionSecretPrepared');
    await browser.open(`${page}/settings?team=harbour`);
    await browser.press('Activate the next secret 127.0.0.1:9');
    expect(browser.text).toContain('The next secret signs now.');
    const made = (await kinds()).filter((type) => type.startsWith('SubscriptionSecret'));
    expect(made.slice(-3)).toEqual([
      'SubscriptionSecretPrepared',
      'SubscriptionSecretPrepared',
      'SubscriptionSecretActivated',
    ]);
  });

  test('delete the webhook, which stays to be looked at', async () => {
    const page = await added();
    await browser.open(`${page}/settings?team=harbour`);
    await browser.press(`Delete 127.0.0.1:9`);
    expect(browser.text).toContain('The webhook is deleted.');
    await browser.follow('Deleted');
    expect(browser.html).toContain(page);
    await browser.open(`${page}?team=harbour`);
    expect(browser.status).toBe(200);
    expect(browser.forms().some(({ action }) => action.startsWith(page))).toBe(false);
  });
});

describe('an address that holds a secret', () => {
  const secrets = ['token-in-the-path', 'token-in-the-query'];
  const url = `http://127.0.0.1:9/${secrets[0]}?key=${secrets[1]}`;

  test('is whole on the page that changes it, and elsewhere its host stands alone', async () => {
    const page = await added(url);
    const id = page.split('/').at(-1) ?? '';
    expect(browser.text).toContain('What happens meanwhile waits, for 12 days at most.');
    await browser.press('Pause 127.0.0.1:9');
    const auditor = await dash.key({ kind: 'installation', scopes: ['audit:read'] });
    const enable = { kind: 'enable-scopes', team: 'harbour', scopes: ['webhooks:read'] } as const;
    await commandTeam(dash.system.store, enable, context());
    const looker = await dash.key({ kind: 'team', team: 'harbour', scopes: ['webhooks:read'] });
    await dash.caughtUp();
    const position = String(await dash.system.store.head());
    const asked = async (path: string, { bearer: headers }: { bearer: { authorization: string } }) => {
      const { statusCode, body } = await dash.server.inject({ url: path, headers });
      expect(statusCode, path).toBe(200);
      return body;
    };
    const opened = async (path: string) => (await browser.open(path)).html;
    await browser.open(`/dash/audit?team=harbour&about=subscription:${id}`);
    expect(browser.text).toContain('paused the webhooks to 127.0.0.1:9');
    const [event = ''] = /\/dash\/t\/harbour\/audit\/events\/[0-9a-f-]{36}[^"]*/.exec(browser.html) ?? [];
    const shown = [
      browser.html,
      await opened(event.replaceAll('&#38;', '&')),
      await opened(`${list}?team=harbour`),
      await opened(`${page}?team=harbour`),
      await opened(`${page}/deliveries?team=harbour`),
      await opened(`/dash/audit/as-of?team=harbour&question=subscriptions&position=${position}`),
      await asked(`/audit/v1/as-of/subscriptions?team=harbour&position=${position}`, auditor),
      await asked(`/audit/v1/as-of/streams/webhook-subscription-${id}?position=${position}`, auditor),
      await asked('/audit/v1/events', auditor),
      await asked(`/dash/api/v1/webhooks/subscriptions/${id}`, looker),
    ];
    for (const [place, each] of shown.entries()) {
      expect(each, String(place)).toContain('127.0.0.1:9');
      for (const secret of secrets) expect(each, String(place)).not.toContain(secret);
    }
    await browser.open(`${page}/settings?team=harbour`);
    for (const secret of secrets) expect(browser.html).toContain(secret);
    await browser.press('Delete 127.0.0.1:9');
  });
});

test('what the team paused is resumed, and says so', async () => {
  const page = await added();
  await browser.press('Pause 127.0.0.1:9');
  expect(browser.text).toContain('paused by you');
  await browser.press('Resume 127.0.0.1:9', { waiting: 'discard' });
  expect(browser.text).toContain('What waited is discarded.');
  expect(browser.text).not.toContain('paused by you');
  await browser.open(`${page}/settings?team=harbour`);
  await browser.press('Delete 127.0.0.1:9');
});

test('a team that has its most webhooks is told so, and nothing is added', async () => {
  const makes = { url: 'http://127.0.0.1:9/hook', events: ['member.joined'] };
  for (let made = 0; made < 6; made += 1) await add(browser, makes);
  expect(browser.status).toBe(409);
  expect(browser.text).toContain('5 are the most');
  expect(browser.html).toContain('value="http://127.0.0.1:9/hook"');
});

test('nobody else opens the pages, or changes anything', async () => {
  const [member, stranger] = [await dash.account(), await dash.account()];
  await dash.member('harbour', member, 'member');
  await dash.member('library', stranger, 'admin');
  const before = (await kinds()).length;
  for (const person of [await dash.signedIn(member), await dash.signedIn(stranger)]) {
    for (const path of ['', '/new', '/deliveries']) {
      await person.open(`${list}${path}?team=harbour`);
      expect(person.status, path).toBe(404);
    }
    await person.open('/dash/me');
    const token = person.hidden('token');
    const values = { token, team: 'harbour', url: 'http://127.0.0.1:9/theirs', events: 'member.joined' };
    await person.post(`${list}/new`, values);
    expect(person.status).toBe(404);
  }
  expect((await kinds()).length).toBe(before);
});

describe('what was set aside', () => {
  test('is shown with its reason, and tried again or discarded', async () => {
    const { store, personal, side } = dash.system;
    await browser.open(`${list}?team=harbour`);
    const [path = '', id = ''] =
      /\/dash\/t\/harbour\/integrations\/webhooks\/([0-9a-f-]{36})/.exec(browser.html) ?? [];
    const parked = async () => {
      const { delivery } = await scheduleTest({ store, personal, side }, { subscriptionId: id }, context());
      const command = { kind: 'park', tries: 10, reason: 'The vault did not answer.' } as const;
      await commandDelivery(store, delivery, command, context());
      await dash.caughtUp();
      return delivery;
    };
    const types = async () => (await dash.events('webhook-delivery-')).map(({ type }) => type);
    await parked();
    await browser.open(`${list}/deliveries?team=harbour&status=parked`);
    expect(browser.text).toContain('set aside');
    await browser.press('Try them again what was set aside');
    expect(browser.text).toContain('We try again. Deliveries: 1.');
    expect((await types()).at(-1)).toBe('DeliveryResent');
    expect(browser.text).not.toContain('Set aside by us');

    // Also when the list of deliveries is slow to follow.
    await parked();
    await browser.open(`${list}/deliveries?team=harbour`);
    const other = await dash.signedIn(admin);
    const pressed = await dash.withoutProjector(async () => {
      const pressing = browser.press('Discard them what was set aside');
      await until(async () => (await types()).at(-1) === 'DeliveryDiscarded');
      await other.open(`${list}/deliveries?team=harbour`);
      return { pressing };
    });
    await pressed.pressing;
    expect(browser.text).toContain('Deliveries: 1.');
    expect(browser.text).not.toContain('Set aside by us');

    const second = await parked();
    await browser.open(`${path}/deliveries/${second}?team=harbour`);
    await browser.press('Discard member.joined');
    expect(browser.text).toContain('The delivery is discarded.');
    expect((await types()).at(-1)).toBe('DeliveryDiscarded');
    await browser.open(`${list}/deliveries?team=harbour`);
    expect(browser.text).not.toContain('Set aside by us');
  });
});
