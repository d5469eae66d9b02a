import { describe, expect, test } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { screens, startService, visit } from './journey.ts';

/** A script, and nothing at which a line could be broken. */
const hostile = `<script>alert(1)</script>"><img src=x onerror=alert(2)>${'W'.repeat(40)}`;
/** Turns the direction of what follows. */
const turned = `\u202E${hostile}`;

describe.skipIf(!hasChromium)(
  'in a real browser, names that are scripts, turn the writing or are long',
  () => {
    const service = startService();

    test.each(screens)(
      'do no harm on the pages of a team, on %s screen',
      { timeout: 120_000 },
      async (_, screen) => {
        const { dash } = service;
        const team = `hostile-${screen.width}`;
        const [account, member] = [
          await dash.account({ role: 'administrator' }),
          await dash.account({ profile: { name: hostile.slice(0, 100) } }),
        ];
        const admin = await visit(service, screen);
        const { page } = admin;
        page.on('dialog', () => {
          throw new Error('A script of a name was run.');
        });
        await admin.signIn(account);
        await admin.goTo('Teams');
        await admin.fill('Name', turned);
        await admin.fill(/^Address/, team);
        await admin.press('Create a team');
        await admin.sees('change the direction of the text');
        await admin.fill('Name', hostile);
        await admin.press('Create a team');
        await admin.sees('The team is created.');
        await admin.looksRight('hostile-team');
        await dash.member(team, account, 'admin');
        await dash.member(team, member, 'member');

        await admin.open(`/dash/team?team=${team}`);
        await page.locator('main').getByText('<script>alert(1)</script>').first().waitFor();
        await admin.looksRight('hostile-members');
        await admin.follow(/^Change <script>/);
        await admin.looksRight('hostile-member');

        await admin.open(`/dash/team/forms/new?team=${team}`);
        await admin.fill('Title', turned);
        await admin.fill(/^Name in the address/, team);
        await admin.fill('Question', turned);
        await admin.fill(/^Explanation/, turned);
        await admin.press('Publish');
        await admin.looksRight('hostile-form');
        await admin.open(`/dash/team/payments/record?team=${team}`);
        await page.getByLabel('Member').selectOption({ value: member.user });
        await admin.fill(/^Amount/, '12.50');
        await admin.fill(/^Currency/, 'USD');
        await admin.fill(/^Note/, turned);
        await admin.press('Record');
        await admin.looksRight('hostile-payments');
        expect(await page.getByText('onerror').count()).toBeGreaterThan(0);
        await admin.open(`/dash/team/forms?team=${team}`);
        await admin.looksRight('hostile-forms');
        await admin.open(`/f/${team}/${team}`);
        await admin.looksRight('hostile-form-page');
        await admin.open(`/dash?team=${team}`);
        await admin.looksRight('hostile-home');
        await admin.leave();
      },
    );
  },
);
