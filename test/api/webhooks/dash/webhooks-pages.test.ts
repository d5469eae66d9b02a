import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

const list = '/dash/integrations/webhooks';
const environment = { ALLOW_PRIVATE_WEBHOOKS: 'true', WEBHOOK_SUBSCRIPTIONS_PER_TEAM: '3' };

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

async function add(
  by: PlainBrowser,
  { url, events }: { readonly url: string; readonly events: readonly string[] },
): Promise<void> {
  await by.open(`${list}/new?team=harbour`);
  const form = by.forms().find(({ action }) => action === `${list}/new`);
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
    expect(browser.text).toContain('http://127.0.0.1:9/hook');
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
