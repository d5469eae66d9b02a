import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofToken } from '../../../src/events/oauth/domains.ts';
import { checkDueDomains } from '../../../src/dispatch/operations/check-domain.ts';
import { receiver, type Receiver } from '../../dispatch/receivers.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
let files: Receiver;
/** What the web server and the name server of the site's team say. */
let content: string | undefined;
let records: string[][];
let host: string;
let site: string;

const resolveTxt = async () => records;
const resolver = async () => [{ address: '127.0.0.1', family: 4 }];
beforeAll(async () => {
  files = await receiver((response) =>
    content === undefined ? response.writeHead(404).end() : response.end(content),
  );
  host = `files.example:${files.port}`;
  dash = await startDashboard({
    environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
    domainLookups: { resolver, resolveTxt },
  });
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(async () => {
  await dash.stop();
  await files[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [content, records] = [undefined, []];
  site = await dash.site({ redirectUris: [`https://${host}/cb`, 'http://localhost:5173/cb'] });
});

const show = () => browser.open(`/dash/sites/oauth/${site}?team=harbour`);
const types = async () => (await dash.events(`client-${site}`)).map(({ type }) => type);
const consentPage = async () => {
  const visitor = await dash.signedIn(await dash.account());
  return visitor.open(dash.asked(site, { redirect_uri: `https://${host}/cb` }));
};
/** The checks that come round, so many days after now. */
const round = async (days: number) => {
  const { store, side, documents } = dash.system;
  const policy = { allowPrivate: true, ownHosts: [] };
  const at = new Date(Date.now() + days * 86_400_000);
  await checkDueDomains({ store, side, documents, policy, resolver, resolveTxt }, at);
  await dash.caughtUp();
};

describe('the domain of a site', () => {
  test('is verified by a file that its team publishes, and people see it when they sign in', async () => {
    await show();
    expect(browser.text).toContain(`https://${host}/.well-known/commonweal-site-verification`);
    expect(browser.text).toContain('_commonweal.files.example');
    expect(browser.text).toContain(proofToken(site, host));
    expect(browser.text).not.toContain('Check now localhost');
    expect((await consentPage()).text).not.toContain('verified');
    await browser.press(`Check now ${host}`);
    expect(browser.text).toContain('The domain is not verified');
    expect(browser.text).toContain(`${host} answered 404 instead of 200 with the file.`);
    expect(await types()).toEqual(['ClientRegistered']);

    content = `${proofToken(site, host)}\n`;
    await browser.press(`Check now ${host}`);
    expect(browser.text).toContain('The domain is verified.');
    expect(browser.text).toContain('Proved by a file since');
    expect(await types()).toEqual(['ClientRegistered', 'ClientDomainVerified']);
    const visitor = await consentPage();
    expect(visitor.text).toContain(`${host} verified`);
    await visitor.press('Allow');
    // The site is answered at once, without a wait for the page of apps.
    await dash.caughtUp();
    await visitor.open('/dash/me/apps');
    expect(visitor.text).toContain(`harbour · ${host} verified · localhost:5173`);
    expect((await browser.open('/dash/sites/oauth?team=harbour')).text).toContain(`${host} verified`);
  });

  test('is verified by a DNS record', async () => {
    records = [['something else'], [proofToken(site, host)]];
    await show();
    await browser.press(`Check now ${host}`);
    expect(browser.text).toContain('Proved by a DNS record since');
    const [, event] = await dash.events(`client-${site}`);
    expect(event).toMatchObject({ type: 'ClientDomainVerified', data: { host, by: 'dns' } });
  });

  test('is not verified by the proof of another site', async () => {
    content = proofToken(await dash.site(), host);
    await show();
    await browser.press(`Check now ${host}`);
    expect(browser.text).toContain('says something else');
  });

  test('is no longer verified when the redirect URIs lead elsewhere', async () => {
    content = proofToken(site, host);
    await show();
    await browser.press(`Check now ${host}`);
    await browser.press('Save', { redirect_uris: 'https://elsewhere.example/cb' });
    expect(browser.text).toContain('elsewhere.example not verified');
    await browser.press('Save', { redirect_uris: `https://${host}/cb` });
    expect(browser.text).toContain(`${host} not verified`);
    expect((await consentPage()).text).not.toContain('verified');
  });

  test('lapses after three failed checks in a row, and not before', async () => {
    content = proofToken(site, host);
    await show();
    await browser.press(`Check now ${host}`);
    content = undefined;
    await round(6.9);
    expect(await dash.system.side.table('domain-checks').get(`${site}/${host}`)).toMatchObject({
      failures: 0,
    });
    for (const days of [7.1, 7.2, 8.2]) await round(days);
    expect(await types()).toHaveLength(2);
    content = proofToken(site, host);
    await round(9.3);
    content = undefined;
    // Who asks for a check defers nothing, and takes nothing away.
    await show();
    await browser.press(`Check now ${host}`);
    for (const days of [16.4, 17.5]) await round(days);
    expect(await types()).toHaveLength(2);
    await round(18.6);
    const [, , lapsed] = await dash.events(`client-${site}`);
    expect(lapsed).toMatchObject({ type: 'ClientDomainLapsed', data: { host } });
    expect((await show()).text).toContain(`${host} not verified`);
  });

  test('is checked for those who may change the site, for hosts of its own, and not all the time', async () => {
    await show();
    const token = browser.hidden('token');
    const check = (of: string, who = browser) =>
      who.post(`/dash/sites/oauth/${site}/domains`, { token, team: 'harbour', host: of });
    for (const other of ['localhost:5173', '169.254.169.254', 'other.example', '', `${host}/x`]) {
      await check(other);
      expect(browser.text, other).toContain('No redirect URI of this site leads to this domain.');
    }
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    const stranger = await dash.signedIn(member);
    await stranger.open('/dash/me/sessions');
    await stranger.post(`/dash/sites/oauth/${site}/domains`, {
      token: stranger.hidden('token'),
      team: 'harbour',
      host,
    });
    expect(stranger.status).toBe(404);
    for (let times = 0; times < 11; times++) await check(host);
    expect(browser.text).toContain('Try again in ten minutes.');
    expect(await types()).toEqual(['ClientRegistered']);
  });
});
