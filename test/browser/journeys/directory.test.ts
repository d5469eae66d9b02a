import { describe, test } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { screens, startService, visit } from './journey.ts';

describe.skipIf(!hasChromium)('in a real browser, a reviewer', () => {
  const service = startService();

  test.each(screens)(
    'submits, decides with the keyboard, and edits, on %s screen',
    { timeout: 120_000 },
    async (_, screen) => {
      const { dash } = service;
      const team = `team-${screen.width}`;
      await dash.team(team);
      const account = await dash.account();
      await dash.member(team, account, 'reviewer');
      const reviewer = await visit(service, screen);
      const { page } = reviewer;
      await reviewer.signIn(account);

      for (const name of ['First Pantry', 'Second Pantry']) {
        await reviewer.open(`/dash/resources?team=${team}`);
        await reviewer.follow('Submit a record');
        await reviewer.fill('Name', name);
        await reviewer.choose('Kind of help', 'Food');
        await reviewer.press('Submit');
        await reviewer.sees('It is submitted, and waits for a reviewer.');
      }
      await reviewer.looksRight('submitted');

      await reviewer.open(`/dash/resources/review?team=${team}`);
      await reviewer.sees('2 wait for a decision.');
      await reviewer.looksRight('review');
      await page.keyboard.press('a');
      await page.locator('button:focus', { hasText: 'Approve' }).waitFor();
      await page.keyboard.press('Enter');
      await reviewer.sees('It is approved, and everybody can see it.');
      await page.keyboard.press('r');
      await page.locator('[name=reason]:focus').waitFor();
      await page.keyboard.type('It is in the directory already.');
      await page.keyboard.press('Enter');
      await reviewer.sees('Nothing waits for a decision.');

      await reviewer.open(`/dash/resources?team=${team}&status=approved`);
      await reviewer.looksRight('records');
      await reviewer.follow(/Pantry/);
      await reviewer.follow('Edit');
      await reviewer.fill(/^Description/, 'Bags of food on Mondays.');
      await reviewer.looksRight('edit');
      await reviewer.press('Save');
      await reviewer.sees('Your change is saved.');
      await page.getByText('What changed', { exact: true }).click();
      await reviewer.looksRight('record');
      await reviewer.follow('Public page');
      await reviewer.sees('Bags of food on Mondays.');
      await reviewer.leave();
    },
  );
});
