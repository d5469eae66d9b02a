import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registerFirstAdministrator } from '../../src/commands/accounts/administrator.ts';
import { user } from '../../src/commands/accounts/user.ts';
import { load } from '../../src/commands/command-handler.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing, type Serving } from '../support/serving.ts';

let folder: ReturnType<typeof temporaryFolder>;
let serving: Serving | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await serving?.stop();
  serving = undefined;
  folder.remove();
});

const password = 'seven quiet herons wading';

async function serve(environment: Record<string, string> = {}): Promise<PlainBrowser> {
  serving = await startServing(folder.path, environment);
  return new PlainBrowser(serving.origin.replace('127.0.0.1', 'localhost'));
}

describe('the first administrator', () => {
  test('is made by a link that only the owner of the data can read, once', async () => {
    const browser = await serve();
    const file = join(folder.path, 'setup-link');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const link = readFileSync(file, 'utf8').trim();
    await browser.open(link);
    expect(browser.heading).toBe('Set up Commonweal');
    await browser.press('Create the account', { name: '', email: 'nobody', password: 'short' });
    expect(browser.problem('password')).toMatch(/at least 12/);
    await browser.press('Create the account', { name: 'Operator', email: 'operator@example.org', password });
    expect(browser.heading).toBe('Home');
    await browser.open('/dash/me');
    expect(browser.text).toContain('administrator');
    expect((await browser.open('/dash/outbox')).heading).toBe('Outbox');
    expect((await browser.open(link)).status).toBe(400);
    await serving?.stop();
    await serve();
    expect(existsSync(file)).toBe(false);
  });

  test('is the one that the settings name, confirmed, and stays it when they change', async () => {
    const settings = { ADMIN_EMAIL: 'operator@example.org', ADMIN_PASSWORD: password };
    const browser = await serve(settings);
    expect(existsSync(join(folder.path, 'setup-link'))).toBe(false);
    await browser.open('/dash/sign-in');
    await browser.press('Sign in', { email: settings.ADMIN_EMAIL, password });
    await browser.open('/dash/me');
    expect(browser.text).toContain('administrator');
    await serving?.stop();
    const again = await serve({ ADMIN_EMAIL: 'another@example.org', ADMIN_PASSWORD: password });
    await again.open('/dash/sign-in');
    await again.press('Sign in', { email: 'another@example.org', password });
    expect(again.status).toBe(422);
  });

  test('is confirmed by the next start, when one ended between its registration and that', async () => {
    const email = 'operator@example.org';
    const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
    const actor = { kind: 'system', id: 'serve' } as const;
    const context = { actor, commandId: crypto.randomUUID(), at: new Date() };
    const person = { email, password, profile: { name: 'Administrator' } };
    const { userId } = await registerFirstAdministrator(system, person, context);
    await system.close();
    const isConfirmed = async () => {
      const opened = await openSystem(readConfig({ DATA_DIR: folder.path }));
      const { state } = await load(opened.store, user, userId);
      await opened.close();
      return state?.status === 'active' && state.verified;
    };
    expect(await isConfirmed()).toBe(false);
    await serve({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password });
    expect(await isConfirmed()).toBe(true);
  });

  test.each([
    [{ ADMIN_EMAIL: 'operator@example.org' }, /^ADMIN_EMAIL needs ADMIN_PASSWORD/],
    [{ ADMIN_PASSWORD: password }, /^ADMIN_PASSWORD needs ADMIN_EMAIL/],
    [
      { ADMIN_EMAIL: 'operator@example.org', ADMIN_PASSWORD: 'short' },
      /^ADMIN_PASSWORD must have at least 12/,
    ],
    [
      { ADMIN_EMAIL: 'operator@example.org', ADMIN_PASSWORD: 'password password' },
      /^ADMIN_EMAIL or ADMIN_PASSWORD cannot be used: This password is too easy to guess/,
    ],
    [{ ADMIN_EMAIL: 'operator', ADMIN_PASSWORD: password }, /^ADMIN_EMAIL must be an email address/],
    [{ ADMIN_EMAIL: 'a,b@c d', ADMIN_PASSWORD: password }, /^ADMIN_EMAIL/],
    [{ SMTP_URL: 'http://mail.example' }, /^SMTP_URL must be/],
    [{ MAIL_FROM: 'nobody' }, /^MAIL_FROM must be/],
  ])('with the settings %j stops the start with one line', async (settings, line) => {
    const { code, stderr } = await runCommandLine(['serve', '--json'], folder.path, settings);
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
