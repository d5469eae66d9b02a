import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { password } from '../../api/accounts/harness.ts';
import { hasChromium } from '../chromium.ts';
import { screensAndNoScripts, startService, visit } from './journey.ts';

const run = promisify(execFile);

describe.skipIf(!hasChromium)('a developer, from /docs alone', () => {
  const service = startService();
  beforeAll(async () => {
    await service.dash.resources(2, { fields: () => ({ name: 'Harbour Pantry' }) });
  });

  test.each(screensAndNoScripts)(
    'signs in, has a key made and sees the first call answered, and its command works as it is shown, on %s screen',
    { timeout: 120_000 },
    async (_, screen) => {
      const { dash } = service;
      const account = await dash.account();
      const reader = await visit(service, screen);
      const { page } = reader;
      await reader.open('/docs');
      await reader.looksRight('guides');
      await reader.follow('Your first call');
      await reader.heading('Your first call');
      await page.locator('main').getByRole('link', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Email').fill(account.email);
      await page.getByLabel('Password').fill(password);
      await reader.press('Sign in');
      await reader.heading('Your first call');
      await reader.looksRight('guide-signed-in');

      await reader.press('Make a key and fill it in');
      await page.getByRole('heading', { name: 'Your new key' }).waitFor();
      await reader.sees('The answer has the status 200');
      await reader.sees('"name": "Harbour Pantry"');
      await reader.looksRight('guide-with-key');
      const commands = await page.locator('.guide pre').allTextContents();
      const calls = commands.filter((each) => each.startsWith('curl ') && !each.includes('package.zip'));
      expect(calls.length).toBeGreaterThan(1);
      const { stdout } = await run('sh', ['-c', calls[0] ?? '']);
      expect((JSON.parse(stdout) as { data: { name: string }[] }).data.map(({ name }) => name)).toContain(
        'Harbour Pantry',
      );

      await page.getByRole('link', { name: 'All guides' }).click();
      await reader.fill(/^What you look for/, 'invitations');
      await reader.press('Search');
      await reader.follow('Teams: Invitations');
      await reader.heading('Teams');
      expect(new URL(page.url()).hash).toBe('#invitations');
      await reader.leave();
    },
  );
});
