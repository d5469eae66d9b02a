import { describe, expect, test } from 'vitest';
import { password } from '../../api/accounts/harness.ts';
import { hasChromium } from '../chromium.ts';
import { screensAndNoScripts, startService, visit } from './journey.ts';

describe.skipIf(!hasChromium)('in a real browser, a form whose session has ended', () => {
  const service = startService();

  test.each(screensAndNoScripts)(
    'keeps what was typed, and is sent after signing in again, on %s screen',
    { timeout: 120_000 },
    async (kind, screen) => {
      const { dash } = service;
      const team = `kept-${screensAndNoScripts.findIndex(([each]) => each === kind)}`;
      await dash.team(team);
      const account = await dash.account();
      await dash.member(team, account, 'admin');
      const admin = await visit(service, screen);
      const { page } = admin;
      await admin.signIn(account);
      await admin.goTo('Forms');
      await admin.follow('Make a form');
      await admin.fill('Title', 'Food parcels');
      await admin.fill(/^Name in the address/, 'parcels');
      await admin.fill('Question', 'Your name');
      await admin.fill(/^What it is for/, 'Typed for a long time.');

      // In another window, the person ends all sessions: that of this window too.
      const ended = await page.context().newPage();
      await ended.goto(page.url());
      await ended.getByRole('button', { name: 'Sign out' }).click();
      await ended.getByText('You are signed out.').waitFor();
      await admin.press('Publish');
      await admin.heading('You are signed out');
      await admin.sees('what you typed is kept on this page');
      await admin.looksRight('kept-signed-out');

      const opening = page.context().waitForEvent('page');
      await admin.follow('Sign in in a new window');
      const signIn = await opening;
      await signIn.getByLabel('Email').fill(account.email);
      await signIn.getByLabel('Password').fill(password);
      await signIn.getByRole('button', { name: 'Sign in', exact: true }).click();
      await signIn.getByRole('heading', { name: 'Home' }).waitFor();
      await admin.press('Send it now');
      // The page was of the session before. The form is there again, and is sent with one press.
      await admin.heading('Please send it again');
      await admin.looksRight('kept-again');
      await admin.press('Send it now');
      await admin.sees('The form is public.');
      await admin.follow('Change the form');
      expect(await page.getByLabel(/^What it is for/).inputValue()).toBe('Typed for a long time.');
      await admin.leave();
    },
  );
});
