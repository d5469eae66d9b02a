import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receivedRequests } from '../../../src/dispatch/operations/test-receiver.ts';
import { password } from '../../api/accounts/harness.ts';
import { startSending } from '../../api/webhooks/dispatching.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { until } from '../../support/until.ts';
import { hasChromium } from '../chromium.ts';
import { whileServed } from '../running-site.ts';
import { countSteps, screens, screensAndNoScripts, startService, visit, type Screen } from './journey.ts';

const run = promisify(execFile);

/** At five seconds for a press and ten for a page these are under five minutes. */
const most = {
  call: { presses: 4, pages: 5 },
  webhook: { presses: 14, pages: 12 },
  signIn: { presses: 10, pages: 13 },
} as const;
const atMost = ({ presses, pages }: { readonly presses: number; readonly pages: number }) =>
  `at most ${presses} presses on ${pages} pages`;

describe.skipIf(!hasChromium)('a developer, from /docs alone', () => {
  const service = startService();
  const folder = temporaryFolder();
  let stopSending: () => Promise<void>;
  beforeAll(async () => {
    await service.dash.resources(2, { fields: () => ({ name: 'Harbour Pantry' }) });
    stopSending = startSending(service.dash);
    const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
    symlinkSync(modules, join(folder.path, 'node_modules'));
  });
  afterAll(async () => {
    await stopSending();
    folder.remove();
  });

  /** An admin of a team of their own, signed in, at /docs. */
  async function adminAtGuides(team: string, name: string, screen: Screen) {
    const { dash } = service;
    const account = await dash.account({ profile: { name } });
    await dash.team(team);
    await dash.member(team, account, 'admin');
    const admin = await visit(service, screen);
    await admin.signIn(account);
    const steps = await countSteps(admin);
    await admin.open('/docs');
    /** A link of the page itself: the menu has some of the same words. */
    const follow = (link: string) =>
      admin.page.locator('main').getByRole('link', { name: link, exact: true }).first().click();
    return { admin, steps, follow, account };
  }

  const isWithin = (
    steps: { readonly presses: number; readonly pages: number },
    limit: { readonly presses: number; readonly pages: number },
  ) => {
    expect(steps.presses, `${steps.presses} presses on ${steps.pages} pages`).toBeLessThanOrEqual(
      limit.presses,
    );
    expect(steps.pages, `${steps.presses} presses on ${steps.pages} pages`).toBeLessThanOrEqual(limit.pages);
  };

  test.each(screensAndNoScripts)(
    `signs in, has a key made and sees the first call answered, with ${atMost(most.call)}, and its command works as it is shown, on %s screen`,
    { timeout: 120_000 },
    async (_, screen) => {
      const { dash } = service;
      const account = await dash.account();
      const reader = await visit(service, screen);
      const { page } = reader;
      const steps = await countSteps(reader);
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
      isWithin(steps, most.call);
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

  test.each(screens)(
    `receives the first webhook and is told why its signature fails, with ${atMost(most.webhook)}, on %s screen`,
    { timeout: 60_000 },
    async (_, screen) => {
      const { dash } = service;
      const team = `pier-${screen.width}`;
      const { admin, steps, follow } = await adminAtGuides(team, 'Rosa Sample', screen);
      const { page } = admin;
      await dash.submission(team, { name: 'Pier Pantry' });
      await follow('Webhooks');
      await admin.heading('Your first webhook');
      await admin.looksRight('guide-webhooks');
      await follow('/dash/integrations/webhooks');
      await follow('Add a webhook');
      await page.getByRole('checkbox', { name: /^resource.approved/ }).check();
      await admin.press('Use the test receiver');
      await admin.heading('The webhook is added');
      const secret =
        (await page.getByRole('region', { name: 'Signing secret' }).locator('code').textContent()) ?? '';
      await admin.follow('Open the test receiver');
      await admin.sees('Nothing has arrived yet.');

      await admin.goTo('Review');
      await page.getByRole('button', { name: /^Approve/ }).click();
      await admin.sees('It is approved, and everybody can see it.');
      await until(async () => (await receivedRequests(dash.system.side, team)).length > 0);
      await admin.goTo('Webhooks');
      await admin.follow('Test receiver');
      await admin.looksRight('guide-test-receiver');
      await follow('resource.approved');
      await admin.sees(/"name":"Pier Pantry"/);
      await admin.looksRight('guide-request');
      await follow('Check its signature with your secret');
      await admin.fill('Signing secret', `whsec_${btoa('x'.repeat(32))}`);
      await admin.press('Check');
      await admin.sees('Not valid: wrong secret.');
      await admin.fill('Signing secret', secret);
      await admin.press('Check');
      await admin.sees('Valid.');
      await admin.looksRight('guide-signature');
      isWithin(steps, most.webhook);
      await admin.leave();
    },
  );

  test.each(screens)(
    `signs in to a first site with the code that is shown, with ${atMost(most.signIn)}, on %s screen`,
    { timeout: 60_000 },
    async (_, screen) => {
      const { admin, steps, follow, account } = await adminAtGuides(
        `wharf-${screen.width}`,
        'Ada Sample',
        screen,
      );
      const { page } = admin;
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      await follow('Letting people sign in to your site');
      await admin.heading('Letting people sign in to your site');
      await admin.looksRight('guide-sign-in');
      await follow('/dash/sites/oauth');
      await follow('Register a site');
      await admin.fill('Name', 'Wharf News');
      await admin.fill(/^Redirect URIs/, `${origin}/callback`);
      await admin.press('Register');
      await admin.sees('The site is registered.');

      await follow('See what people are asked, and try a sign-in');
      await admin.press('Show what Allow sends');
      const claims = page.getByRole('region', { name: 'What the id_token and userinfo would say of you' });
      expect(JSON.parse((await claims.textContent()) ?? '')).toMatchObject({
        iss: service.dash.origin,
        sub: account.user,
        name: 'Ada Sample',
        email: account.email,
      });
      await admin.looksRight('guide-tried');
      await follow('Back to the site');
      await follow('Code for the framework that the site uses');
      await admin.looksRight('guide-code');
      const code = (await page.getByRole('region', { name: 'The code' }).textContent()) ?? '';
      expect(code).toContain(`listen(${port})`);

      const file = join(folder.path, 'site.mjs');
      writeFileSync(file, code.replace(`listen(${port})`, `listen(${port}, '127.0.0.1')`));
      const site = { program: process.execPath, words: [file], folder: folder.path, origin };
      await whileServed(site, async () => {
        await admin.openElsewhere(origin);
        await admin.follow('Sign in');
        await admin.heading('Sign in to Wharf News?');
        await admin.press('Allow');
        await admin.heading('Hello, Ada Sample');
      });
      isWithin(steps, most.signIn);
      await admin.leave();
    },
  );
});
