import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { screensAndNoScripts, startService, visit } from './journey.ts';

/** A form asks people to take a moment. The clock of the service takes it. */
let skipped = 0;

describe.skipIf(!hasChromium)('in a real browser, a form', () => {
  const service = startService({ now: () => new Date(Date.now() + skipped) });

  test.each(screensAndNoScripts)(
    'is built, filled in by a stranger, read, changed by two, and closed, on %s screen',
    { timeout: 120_000 },
    async (kind, screen) => {
      const { dash } = service;
      const team = `pantry-${screensAndNoScripts.findIndex(([each]) => each === kind)}`;
      await dash.team(team);
      const [account, second] = [await dash.account(), await dash.account()];
      await dash.member(team, account, 'admin');
      await dash.member(team, second, 'admin');
      const admin = await visit(service, screen);
      const { page } = admin;
      await admin.signIn(account);
      await admin.goTo('Forms');
      await admin.sees('There is no form yet.');
      await admin.looksRight('forms-none');
      await admin.follow('Make a form');

      // Built from fields of several kinds. What is wrong is said, and what was typed stays.
      const field = (number: number) => page.getByRole('group', { name: `Field ${number}` });
      await admin.fill('Title', 'Food parcels');
      await field(1).getByLabel('Question', { exact: true }).fill('Your name');
      await field(1).getByLabel('It must be answered').check();
      await admin.press('Add a field');
      await field(2).getByLabel('Question', { exact: true }).fill('Which day');
      // Choices are asked for where the answer has them.
      expect(await field(2).getByLabel('Choices').isVisible()).toBe(false);
      await field(2).getByLabel('Answer', { exact: true }).selectOption({ label: 'One of several choices' });
      expect(await field(2).getByLabel('Choices').isVisible()).toBe(true);
      await field(2).getByLabel('It must be answered').check();
      await admin.press('Add a field');
      await field(3).getByLabel('Question', { exact: true }).fill('How many people');
      await field(3).getByLabel('Answer', { exact: true }).selectOption({ label: 'A number' });
      const bounds = ['Smallest number', 'Largest number'].map((name) =>
        field(3).locator('.field', { hasText: name }).boundingBox(),
      );
      const [smallest, largest] = await Promise.all(bounds);
      expect((largest?.y ?? 0) - (smallest?.y ?? 0) - (smallest?.height ?? 0)).toBeGreaterThan(10);
      await admin.press('Add a field');
      await field(4).getByLabel('Question', { exact: true }).fill('Not needed');
      await admin.press('Publish');
      await admin.sees('The form is not saved yet.');
      await admin.sees('Write 1 to 50 choices');
      await page.locator('[name=slug]:focus').waitFor();
      await admin.looksRight('form-wrong');
      await admin.fill(/^Name in the address/, 'parcels');
      await field(2).getByLabel('Choices').fill('Monday\nFriday');
      await admin.press('Remove field 4');
      await admin.press('Move up field 3');
      expect(await field(2).getByLabel('Question', { exact: true }).inputValue()).toBe('How many people');
      expect(await field(3).getByLabel('Choices').inputValue()).toBe('Monday\nFriday');
      await admin.looksRight('form-builder');
      await admin.press('Publish');
      await admin.sees('The form is public.');
      await admin.looksRight('form-published');
      const address = new URL(
        (await page.getByRole('link', { name: 'Open the form' }).getAttribute('href')) ?? '',
      );

      const stranger = await visit(service, screen);
      await stranger.open(address.pathname);
      await stranger.heading('Food parcels');
      await stranger.fill(/^How many people/, 'four');
      await stranger.press('Send');
      await stranger.sees('3 answers need your attention:');
      await stranger.looksRight('form-page-wrong');
      expect(await stranger.page.getByLabel(/^How many people/).inputValue()).toBe('four');
      await stranger.fill('Your name', 'Sam Sample');
      await stranger.fill(/^How many people/, '4');
      await stranger.page.getByLabel('Friday').check();
      skipped += 10_000;
      await stranger.press('Send');
      await stranger.heading('Thank you');
      await stranger.looksRight('form-page-sent');

      await admin.goTo('Forms');
      await admin.looksRight('forms');
      await admin.follow('Food parcels');
      await admin.sees('Sam Sample');
      await admin.looksRight('form');
      const downloading = page.waitForEvent('download');
      await admin.follow('Download as a table (CSV)');
      const file = await (await downloading).path();
      expect(readFileSync(file, 'utf8')).toMatch(/,Sam Sample,4,friday\r?\n/);
      await admin.follow(/^Read /);
      await admin.sees('Friday');
      await admin.looksRight('form-answer');
      await admin.confirm('Erase');
      await admin.sees('The answers are erased.');
      expect(await page.getByText('Sam Sample').count()).toBe(0);

      // Two people change the form at the same time. The second sees both, and decides.
      const other = await visit(service, screen);
      await other.signIn(second);
      await other.goTo('Forms');
      await other.follow('Food parcels');
      await other.follow('Change the form');
      await admin.follow('Change the form');
      await admin.fill('Title', 'Food parcels on Fridays');
      await admin.press('Save');
      await admin.sees('The form is changed.');
      await other.fill('Title', 'Parcels');
      await other.press('Save');
      await other.sees('Somebody else has changed this since you opened it.');
      await other.sees('Food parcels on Fridays');
      expect(await other.page.getByLabel('Title').inputValue()).toBe('Parcels');
      await other.looksRight('form-changed-meanwhile');
      await other.press('Save');
      await other.sees('The form is changed.');

      await other.confirm('Close');
      await other.sees('The form is closed.');
      await other.looksRight('form-closed');
      await stranger.follow(/^Back to the form/);
      await stranger.heading('This form is closed');
      await stranger.looksRight('form-page-closed');
      await other.confirm('Open again');
      await other.sees('The form is open again.');
      await stranger.open(address.pathname);
      await stranger.heading('Parcels');
      for (const each of [admin, other, stranger]) await each.leave();
    },
  );
});
