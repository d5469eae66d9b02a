import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished, test } from 'vitest';
import { anAddress } from '../../api/accounts/harness.ts';
import { hasChromium, launch } from '../chromium.ts';
import { confirmAddress, createTeam, handedOn, register, setUp, startInstallation } from './installation.ts';
import { screensAndNoScripts, visit } from './journey.ts';
import { startServerSite } from './server-site.ts';

describe.skipIf(!hasChromium)('from an empty data folder', () => {
  let chromium: Browser;
  beforeAll(async () => {
    chromium = await launch();
  });
  afterAll(() => chromium.close());

  test.each(screensAndNoScripts)(
    'somebody becomes administrator, makes a team and registers a site; somebody else signs in to it and takes that back, on %s screen',
    async (_, screen) => {
      const [installation, site] = await Promise.all([startInstallation(), startServerSite()]);
      onTestFinished(async () => {
        await Promise.all([installation.stop(), site.stop()]);
      });
      const service = { chromium, dash: installation };

      const administrator = await visit(service, screen);
      await administrator.page.goto(installation.setUpLink);
      await administrator.looksRight('set-up');
      await setUp(administrator, installation, { name: 'Grace Hopper', email: anAddress() });
      await administrator.looksRight('first-home');
      await createTeam(administrator, 'Harbour Library', 'harbour');
      await administrator.looksRight('team-made');

      await administrator.goTo('Sign-in sites');
      await administrator.looksRight('no-sites');
      await administrator.follow('Register a site');
      await administrator.fill('Name', 'Harbour News');
      await administrator.fill(/^Redirect URIs/, site.redirectUri);
      await administrator.press('Register');
      await administrator.sees('The site is registered.');
      await administrator.looksRight('site-registered');
      const details = administrator.page.locator('dl.facts').first().locator('code');
      const [clientId = ''] = await details.allTextContents();
      await site.configure(installation.origin, clientId);

      const ada = { name: 'Ada Lovelace', email: anAddress() };
      const person = await visit(service, screen);
      await person.openElsewhere(site.origin);
      await person.follow('Sign in');
      await person.looksRight('sign-in-for-site');
      await register(person, ada);
      await person.looksRight('check-inbox');
      const link = await handedOn(administrator, ada.email);
      await administrator.looksRight('outbox');
      await confirmAddress(person, link);
      await person.heading('Sign in to Harbour News?');
      await person.looksRight('consent');
      await person.press('Allow');
      await person.heading('Hello, Ada Lovelace');
      await person.follow('Renew');
      await person.heading('Renewed');
      await person.openElsewhere(site.origin);
      await person.heading('Hello, Ada Lovelace');

      await person.open('/dash');
      await person.looksRight('home-of-person');
      await person.goTo('Sites with access');
      await person.looksRight('apps');
      await person.confirm('Revoke Harbour News', 'Revoke Harbour News');
      await person.sees('The access is revoked.');
      await person.looksRight('apps-revoked');
      await person.openElsewhere(site.origin);
      await person.heading('Refused: invalid_token');
      await person.follow('Renew');
      await person.heading('Refused: invalid_grant');
      await person.leave();
      await administrator.leave();
    },
  );
});
