import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { password } from '../../api/accounts/harness.ts';
import { PlainBrowser } from '../../api/accounts/plain-browser.ts';
import { context } from '../../api/harness.ts';
import { runCommandLine, runProcess } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand, startServing, type Serving } from '../../support/serving.ts';

const first = { ADMIN_EMAIL: 'operator@example.org', ADMIN_PASSWORD: password };

let folder: ReturnType<typeof temporaryFolder>;
let serving: Serving | undefined;
let beside: System | undefined;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await serving?.stop();
  await beside?.close();
  serving = beside = undefined;
  folder.remove();
});

async function serve(environment: Record<string, string> = {}): Promise<PlainBrowser> {
  serving = await startServing(folder.path, environment);
  return anotherBrowser();
}
const anotherBrowser = () => new PlainBrowser(serving?.origin.replace('127.0.0.1', 'localhost') ?? '');

interface Administrator {
  readonly user: string;
  readonly email?: string;
  readonly name?: string;
  readonly has_password: boolean;
  readonly link?: string;
}
const administrators = (...words: readonly string[]) => runCommand(folder.path, 'administrators', ...words);
const add = async (email: string, ...words: readonly string[]) =>
  (await administrators('add', '--email', email, ...words)) as Administrator;
const list = async () => (await administrators('list')) as Administrator[];
const refused = async (...words: readonly string[]) => {
  const { code, stderr } = await runCommandLine(['administrators', ...words], folder.path);
  return { code, stderr: stderr.trim() };
};
/** The path of an address that a command prints, as it does not know at which port somebody serves. */
const pathOf = (link = '') => new URL(link).pathname + new URL(link).search;

async function account(email: string, { confirmed = true } = {}): Promise<string> {
  beside ??= await openSystem(readConfig({ DATA_DIR: folder.path }));
  const { userId } = await registerPerson(beside, { email, password, profile: { name: 'Ada' } }, context());
  if (confirmed) {
    const { email: index } = await requirePerson(beside, userId);
    await commandPerson(beside, userId, { kind: 'verify-email', email: index }, context());
  }
  return userId;
}

/** Who gets an email with this subject. */
async function told(subject: string): Promise<string[]> {
  beside ??= await openSystem(readConfig({ DATA_DIR: folder.path }));
  const mails = await new Outbox(beside).newest();
  return mails.flatMap((mail) => (mail.subject === subject ? [mail.to] : [])).sort();
}

async function signedIn(email: string): Promise<PlainBrowser> {
  const browser = anotherBrowser();
  await browser.open('/dash/sign-in');
  await browser.press('Sign in', { email, password });
  return browser;
}

describe('administrators', () => {
  test('who have an account are added and removed beside a server, which knows it at once', async () => {
    await serve(first);
    const user = await account('ada@example.org');
    const ada = await signedIn('ada@example.org');
    expect((await ada.open('/dash/outbox')).status).toBe(403);

    expect(await add(' Ada@Example.org ')).toEqual({ user, role: 'administrator' });
    expect((await ada.open('/dash/outbox')).heading).toBe('Outbox');
    expect(await told('Commonweal has a new administrator')).toEqual(['ada@example.org', first.ADMIN_EMAIL]);
    // Nothing has changed, so nobody is told.
    await add('ada@example.org');
    expect(await told('Commonweal has a new administrator')).toHaveLength(2);
    expect(await list()).toMatchObject([
      { email: first.ADMIN_EMAIL, name: 'Administrator', has_password: true },
      { user, email: 'ada@example.org', name: 'Ada', has_password: true },
    ]);

    expect(await administrators('remove', '--email', 'ada@example.org')).toEqual({ user, role: 'person' });
    expect((await ada.open('/dash/outbox')).status).toBe(403);
    expect(await told('Commonweal has one administrator less')).toEqual([
      'ada@example.org',
      first.ADMIN_EMAIL,
    ]);
    expect(await list()).toMatchObject([{ email: first.ADMIN_EMAIL }]);
    expect((await refused('remove', '--email', 'ada@example.org')).stderr).toBe(
      'This person is no administrator.',
    );
  });

  test('who have no account get a link to choose a password, which is good once', async () => {
    const browser = await serve(first);
    const { link } = await add('grace@example.org', '--name', 'Grace');
    expect(await list()).toContainEqual(
      expect.objectContaining({ email: 'grace@example.org', name: 'Grace', has_password: false }),
    );
    const { link: another } = await add('grace@example.org');
    expect(another).toBeDefined();

    await browser.open(pathOf(link));
    expect(browser.heading).toBe('Choose a new password');
    await browser.press('Set the password', { password });
    const grace = await signedIn('grace@example.org');
    expect((await grace.open('/dash/me')).text).toContain('administrator');
    for (const used of [link, another]) expect((await browser.open(pathOf(used))).status).toBe(400);
    expect(await add('grace@example.org')).not.toHaveProperty('link');
  });

  test('the last one stays, also when two are asked to remove each other at once', async () => {
    await serve(first);
    expect(await refused('remove', '--email', first.ADMIN_EMAIL)).toEqual({
      code: 1,
      stderr: 'This is the only administrator; add another one first.',
    });
    await account('ada@example.org');
    await add('ada@example.org');
    const removals = await Promise.all(
      [first.ADMIN_EMAIL, 'ada@example.org'].map((email) =>
        runProcess(['administrators', 'remove', '--email', email], folder.path),
      ),
    );
    expect(removals.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await list()).toHaveLength(1);
  });

  test('an administrator whose account is erased does not count', async () => {
    for (const email of ['ada@example.org', 'grace@example.org']) {
      const user = await account(email);
      await add(email);
      if (beside && email.startsWith('ada')) await erasePerson(beside, user, context());
    }
    expect(await list()).toMatchObject([{ email: 'grace@example.org' }]);
    expect((await refused('remove', '--email', 'grace@example.org')).code).toBe(1);
  });

  test('once there is one, the link that makes the first is void, and the settings are not looked at', async () => {
    const browser = await serve();
    const file = join(folder.path, 'setup-link');
    const setUp = readFileSync(file, 'utf8').trim();
    await browser.open(setUp);
    expect(browser.heading).toBe('Set up Commonweal');
    await account('ada@example.org');
    await add('ada@example.org');
    expect((await browser.open(setUp)).status).toBe(400);
    expect(existsSync(file)).toBe(false);

    await serving?.stop();
    await serve(first);
    expect(existsSync(file)).toBe(false);
    expect(await list()).toMatchObject([{ email: 'ada@example.org' }]);
  });

  test('what cannot be done is said in a sentence, and nothing is changed', async () => {
    await account('eve@example.org', { confirmed: false });
    for (const [words, saying] of [
      ['add --email eve@example.org', /^There is an account with this address, and nobody has confirmed/],
      ['remove --email eve@example.org', /^This person is no administrator\.$/],
      ['remove --email nobody@example.org', /^There is no account with this address\.$/],
      ['add --email nobody', /^This is not an email address\.$/],
    ] as const) {
      const ended = await refused(...words.split(' '));
      expect(ended).toEqual({ code: 1, stderr: expect.stringMatching(saying) as string });
    }
    expect(await list()).toEqual([]);
  });
});
