import { describe, test } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { startService, visit } from './journey.ts';

describe.skipIf(!hasChromium)('in a real browser of 360 pixels, a record written by hand', () => {
  const service = startService();

  test.each([true, false])(
    'is near and open once it is approved, without coordinates or a zone (scripts: %s)',
    { timeout: 120_000 },
    async (scripts) => {
      const { dash } = service;
      const team = `by-hand-${String(scripts)}`;
      const name = scripts ? 'Round The Clock Shelter' : 'Night And Day Shelter';
      await dash.team(team);
      const account = await dash.account();
      await dash.member(team, account, 'reviewer');
      const reviewer = await visit(service, { width: 360, scripts });
      await reviewer.signIn(account);

      await reviewer.open(`/dash/resources/new?team=${team}`);
      await reviewer.fill('Name', name);
      await reviewer.choose('Kind of help', 'Housing');
      await reviewer.fill(/^Phone numbers optional/, 'no phone');
      await reviewer.fill(/^Postal code/, '33125');
      await reviewer.fill(/^Latitude/, '0');
      await reviewer.fill(/^Longitude/, '0');
      await reviewer.fill(/^Hours, in words/, '24 hours a day, 7 days a week');
      await reviewer.press('Read the hours from the words');
      await reviewer.sees('The table says what the words say.');
      const zone = reviewer.page.locator('option:checked', {
        hasText: 'America/New_York, from the postal code',
      });
      await zone.waitFor({ state: 'attached' });
      await reviewer.looksRight(`by-hand-read-${String(scripts)}`);

      await reviewer.press('Submit');
      await reviewer.sees('is not a phone number');
      await reviewer.sees('which are in the ocean');
      await reviewer.looksRight(`by-hand-wrong-${String(scripts)}`);
      await reviewer.fill(/^Phone numbers optional/, '305-555-0100 ext. 7');
      await reviewer.fill(/^Latitude/, '');
      await reviewer.fill(/^Longitude/, '');
      await reviewer.press('Submit');
      await reviewer.sees('It is submitted, and waits for a reviewer.');
      await reviewer.confirm('Approve');
      await reviewer.sees('It is approved, and everybody can see it.');

      await reviewer.open('/find?near=33125&open=1');
      await reviewer.sees(name);
      await reviewer.follow(name);
      await reviewer.sees(/Open now|Open 24 hours|^Open/);
      await reviewer.looksRight(`by-hand-found-${String(scripts)}`);
      await reviewer.leave();
    },
  );
});
