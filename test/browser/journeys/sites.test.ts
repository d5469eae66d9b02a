import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiver, type Receiver } from '../../dispatch/receivers.ts';
import { hasChromium } from '../chromium.ts';
import { screensAndNoScripts, startService, visit } from './journey.ts';

/** What the name server of the site's domains says, by the name of the TXT record. */
const records = new Map<string, string>();

describe.skipIf(!hasChromium)('in a real browser, an admin', () => {
  const service = startService({
    environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
    domainLookups: {
      resolver: async () => [{ address: '127.0.0.1', family: 4 }],
      resolveTxt: async (name) => {
        const record = records.get(name);
        if (record === undefined) throw Object.assign(new Error(`There is no ${name}.`), { code: 'ENODATA' });
        return [[record]];
      },
    },
  });
  let files: Receiver;
  let published: string | undefined;
  beforeAll(async () => {
    files = await receiver((response) =>
      published === undefined ? response.writeHead(404).end() : response.end(published),
    );
  });
  afterAll(() => files[Symbol.asyncDispose]());

  test.each(screensAndNoScripts)(
    'registers a site, proves its domains, sees what goes wrong and closes it, on %s screen',
    async (name, screen) => {
      const { dash } = service;
      const team = `news-${name.replace(/\W+/g, '-')}`;
      await dash.team(team);
      published = undefined;
      records.clear();
      const [fileHost, dnsHost] = [`news.example:${files.port}`, `mail.example:${files.port}`];
      const account = await dash.account();
      await dash.member(team, account, 'admin');
      const admin = await visit(service, screen);
      const { page } = admin;
      await admin.signIn(account);

      await admin.goTo('Sign-in sites');
      await admin.follow('Register a site');
      await admin.fill('Name', 'Harbour News');
      await admin.fill(/^Redirect URIs/, `https://${fileHost}/cb\nhttp://news.example/cb`);
      await admin.fill(/^Logo/, 'logo.png');
      await admin.press('Register');
      await page.locator('[name=redirect_uris]:focus').waitFor();
      await admin.sees(/^http:\/\/news\.example\/cb: /);
      await admin.sees('Enter an address that begins with https://.');
      expect(await page.getByLabel(/^Logo/).inputValue()).toBe('logo.png');
      await admin.looksRight('site-wrong');
      await admin.fill(/^Redirect URIs/, `https://${fileHost}/cb\nhttps://${dnsHost}/cb`);
      await admin.fill(/^Logo/, '');
      await admin.press('Register');
      await admin.sees('The site is registered.');
      const client = new URL(page.url()).pathname.split('/').at(-1) ?? '';

      const copied = async (host: string, index: number) =>
        (await page.getByRole('region', { name: host }).locator('dl code').nth(index).textContent()) ?? '';
      await admin.press(`Check now ${fileHost}`);
      await admin.sees('The domain is not verified');
      await admin.looksRight('site-not-verified');
      published = await copied(fileHost, 2);
      await admin.press(`Check now ${fileHost}`);
      await admin.sees('The domain is verified.');
      records.set(await copied(dnsHost, 1), await copied(dnsHost, 2));
      published = undefined;
      await admin.press(`Check now ${dnsHost}`);
      await admin.sees('Proved by a DNS record since');
      await admin.looksRight('site-verified');

      await admin.follow('See what people are asked, and try a sign-in');
      await admin.sees('verified');
      await admin.goTo('Sign-in sites');
      expect(await page.getByRole('row', { name: 'Harbour News' }).getByText('verified').count()).toBe(2);
      await admin.looksRight('sites');

      const asked = (host: string) => dash.asked(client, { redirect_uri: `https://${host}/cb` });
      const person = await visit(service, screen);
      await person.signIn(await dash.account());
      for (const host of [fileHost, dnsHost]) {
        await person.open(asked(host));
        await person.sees(host);
        await person.sees('verified');
      }
      await person.open(asked('elsewhere.example'));
      await person.sees('redirect');
      await person.looksRight('sign-in-refused');

      await admin.follow('Harbour News');
      await admin.sees('https://elsewhere.example/cb');
      await admin.looksRight('site-errors');
      await admin.confirm('Deactivate');
      await admin.sees('The site is deactivated.');
      await admin.looksRight('site-inactive');
      await person.open(asked(fileHost));
      await person.sees('invalid_client');
      await person.looksRight('site-closed');
      await admin.press('Reactivate');
      await admin.sees('The site is active again.');
      await admin.sees('invalid_client');
      await person.open(asked(fileHost));
      await person.heading('Sign in to Harbour News?');
      await person.leave();
      await admin.leave();
    },
  );
});
