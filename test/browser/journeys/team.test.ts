import { describe, expect, test } from 'vitest';
import { anAddress, password } from '../../api/accounts/harness.ts';
import { v1 } from '../../api/harness.ts';
import { hasChromium } from '../chromium.ts';
import { screensAndNoScripts, startService, visit } from './journey.ts';

describe.skipIf(!hasChromium)('in a real browser, a team', () => {
  const service = startService();

  test.each(screensAndNoScripts)(
    'is created, invites, changes a role and removes a member with their keys, on %s screen',
    { timeout: 120_000 },
    async (kind, screen) => {
      const { dash } = service;
      const name = `Night Shelter ${kind}`;
      const slug = `shelter-${screensAndNoScripts.findIndex(([each]) => each === kind)}`;
      const account = await dash.account({ role: 'administrator', profile: { name: 'Ada Admin' } });
      const admin = await visit(service, screen);
      await admin.signIn(account);

      await admin.goTo('Teams');
      await admin.fill('Name', name);
      await admin.fill(/^Address/, 'Night Shelter');
      await admin.press('Create a team');
      await admin.sees('Use 1 to 48 small letters');
      await admin.looksRight('team-wrong-address');
      await admin.fill(/^Address/, slug);
      await admin.press('Create a team');
      await admin.sees('The team is created.');
      await admin.looksRight('team-created');
      await admin.fill(/^Email/, account.email);
      await admin.press('Send the invitation');
      await admin.sees('The invitation is made.');
      await admin.open(await dash.link(account.email));
      await admin.press(`Join ${name} as admin`);
      await admin.sees('You have joined the team.');

      // The account has one team only: its pages are those of this team.
      await admin.goTo('Members');
      await admin.looksRight('team-alone');
      const email = anAddress();
      await admin.fill(/^Email/, 'nobody');
      await admin.press('Send the invitation');
      await admin.looksRight('team-wrong-email');
      await admin.fill(/^Email/, email);
      await admin.press('Send the invitation');
      await admin.sees('The invitation is made.');
      await admin.sees(email);
      await admin.looksRight('team-invited');

      const person = await visit(service, screen);
      await person.open(await dash.link(email));
      await person.looksRight('team-join');
      await person.fill('Name', 'Sam Sample');
      await person.fill('Password', password);
      await person.press(`Join ${name} as member`);
      await person.sees('You have joined the team.');
      await person.looksRight('team-joined');
      expect(await person.menuEntries()).not.toContain('API keys');
      await person.goTo('Members');
      await person.sees('Ada Admin');
      await person.looksRight('team-as-member');

      await admin.goTo('Members');
      await admin.sees('Sam Sample');
      await admin.sees('No invitation is waiting.');
      await admin.follow('Change Sam Sample');
      await admin.looksRight('team-member');
      await admin.page.getByLabel(/^Admin/).check();
      await admin.press('Save the role');
      await admin.sees('The role is changed.');
      await admin.looksRight('team-role');

      await person.goTo('Home');
      expect(await person.menuEntries()).toContain('API keys');
      await person.goTo('API keys');
      await person.fill(/^Label/, 'Kiosk');
      await person.press('Create');
      const secret = person.page.getByRole('region', { name: 'Your new key' });
      const key = (await secret.locator('code').textContent()) ?? '';
      const status = async () =>
        (await fetch(dash.origin + v1, { headers: { authorization: `Bearer ${key}` } })).status;
      expect(await status()).toBe(200);

      await admin.follow('Change Sam Sample');
      await admin.sees('Kiosk');
      await admin.page.locator('summary', { hasText: 'Remove' }).click();
      await admin.page.getByLabel(/^Also revoke these keys/).check();
      await admin.looksRight('team-removing');
      await admin.page.locator('.asked').getByRole('button', { name: 'Remove' }).click();
      await admin.sees('and their keys are revoked.');
      expect(await status()).toBe(401);
      await admin.looksRight('team-removed');

      await person.open(`/dash/team?team=${slug}`);
      await person.sees('An admin of the team can invite you');
      expect(await person.menuEntries()).not.toContain('Members');
      await person.looksRight('team-refused');
      await person.leave();

      await admin.follow('Leave Ada Admin');
      await admin.confirm('Leave');
      await admin.sees('You are the last admin of this team.');
      await admin.looksRight('team-last-admin');
      await admin.leave();
    },
  );
});
