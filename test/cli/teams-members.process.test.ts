import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePerson } from '../../src/commands/accounts/erasure.ts';
import { commandPerson, registerPerson, requirePerson } from '../../src/commands/accounts/person.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { password } from '../api/accounts/harness.ts';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { context } from '../api/harness.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';

const folder = temporaryFolder();
let beside: System;
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

interface Member {
  readonly team: string;
  readonly user: string;
  readonly role: string;
  readonly name?: string;
  readonly email?: string;
}

const of = (email: string, team = 'harbour') => ['--team', team, '--email', email] as const;
const members = async (...words: readonly string[]) =>
  (await runCommand(folder.path, 'members', ...words)) as Member;
const list = async () => (await runCommand(folder.path, 'members', 'list', '--team', 'harbour')) as Member[];
const refused = async (...words: readonly string[]) => {
  const { code, stderr } = await runCommandLine(['members', ...words], folder.path);
  return { code, stderr: stderr.trim() };
};

async function account(name: string, { confirmed = true } = {}) {
  const email = `${name.toLowerCase()}@example.org`;
  const { userId } = await registerPerson(beside, { email, password, profile: { name } }, context());
  if (confirmed) {
    const { email: index } = await requirePerson(beside, userId);
    await commandPerson(beside, userId, { kind: 'verify-email', email: index }, context());
  }
  return { user: userId, email };
}

describe('members', () => {
  test('are added, listed, given another role and removed', async () => {
    const { user, email } = await account('Ada');
    expect(await members('add', ...of(` ${email.toUpperCase()} `), '--role', 'member')).toEqual({
      team: 'harbour',
      user,
      role: 'member',
    });
    expect(await list()).toMatchObject([{ user, role: 'member', name: 'Ada', email }]);
    expect(await members('role', ...of(email), '--role', 'reviewer')).toMatchObject({ role: 'reviewer' });
    expect(await list()).toMatchObject([{ user, role: 'reviewer' }]);
    expect(await members('remove', ...of(email))).toMatchObject({ user, status: 'left' });
    expect(await members('remove', ...of(email)), 'a second time').toMatchObject({ status: 'left' });
    expect(await list()).toEqual([]);
    await members('add', ...of(email), '--role', 'admin');
    expect(await list()).toMatchObject([{ user, role: 'admin' }]);
    const { email: next } = await account('Barbara');
    await members('add', ...of(next), '--role', 'member');
    for (const last of [
      ['remove', ...of(email)],
      ['role', ...of(email), '--role', 'member'],
    ]) {
      expect(await refused(...last)).toEqual({
        code: 1,
        stderr: 'This is the last admin of the team. Make another member an admin first.',
      });
    }
    await members('role', ...of(next), '--role', 'admin');
    await members('remove', ...of(email));
    await erasePerson(beside, (await list())[0]?.user ?? '', context());
    const erased = (await list())[0]?.user ?? '';
    await members('remove', '--team', 'harbour', '--person', erased);
    expect(await list()).toEqual([]);
  });

  test('are shown in lines to people, erased ones without name and address', async () => {
    const { user, email } = await account('Grace');
    await members('add', ...of(email), '--role', 'reviewer');
    const shown = async () =>
      (await runCommandLine(['members', 'list', '--team', 'harbour'], folder.path)).stdout;
    expect(await shown()).toMatch(new RegExp(`${user} +reviewer +\\S+ +${email} +Grace\n`));
    await erasePerson(beside, user, context());
    expect(await shown()).toMatch(new RegExp(`${user} +reviewer +\\S+ +- +erased\n`));
  });

  test('see to the sites of their team as its admins, from the moment the command has ended', async () => {
    const { email } = await account('Edith');
    const serving = await startServing(folder.path);
    try {
      const browser = new PlainBrowser(serving.origin.replace('127.0.0.1', 'localhost'));
      await browser.open('/dash/sign-in');
      await browser.press('Sign in', { email, password });
      expect((await browser.open('/dash/sites/oauth')).text).not.toContain('Harbour House');
      await members('add', ...of(email), '--role', 'admin');
      expect((await browser.open('/dash/sites/oauth')).text).toContain('Harbour House');
      expect((await browser.open('/dash/sites/oauth/new?team=harbour')).status).toBe(200);
      const { email: other } = await account('Beatrice');
      await members('add', ...of(other), '--role', 'admin');
      await members('role', ...of(email), '--role', 'member');
      expect((await browser.open('/dash/sites/oauth/new?team=harbour')).status).toBe(404);
    } finally {
      await serving.stop();
    }
  });

  test('are not those whose address is not confirmed: it may be somebody else’s', async () => {
    const { email } = await account('Mallory', { confirmed: false });
    const answer = await refused('add', ...of(email), '--role', 'admin');
    expect(answer).toEqual({
      code: 1,
      stderr: 'There is no account whose confirmed email address this is.',
    });
    for (const nobody of ['nobody@example.org', 'no address']) {
      expect(await refused('add', ...of(nobody), '--role', 'admin')).toEqual(answer);
    }
  });

  test('are added once, and have to be members to have another role', async () => {
    const { email } = await account('Joan');
    const role = ['--role', 'member'] as const;
    expect(await refused('role', ...of(email), ...role)).toEqual({
      code: 1,
      stderr: 'This person is no member of the team.',
    });
    await members('add', ...of(email), ...role);
    expect(await refused('add', ...of(email), ...role)).toEqual({
      code: 1,
      stderr: 'This person is a member already.',
    });
  });

  test.each([
    [
      ['role', ...of('nobody@example.org'), '--role', 'member'],
      1,
      /^There is no account with this address\.$/,
    ],
    [['remove', ...of('nobody@example.org')], 1, /^There is no account with this address\.$/],
    [['remove', ...of('no address')], 1, /^There is no account with this address\.$/],
    [['add', ...of('ada@example.org', 'nobody'), '--role', 'member'], 1, /^There is no team nobody\.$/],
    [['remove', ...of('ada@example.org', 'nobody')], 1, /^There is no team nobody\.$/],
    [['list', '--team', 'nobody'], 1, /^There is no team nobody\.$/],
    [
      ['add', ...of('ada@example.org'), '--role', 'owner'],
      2,
      /^--role: must be one of admin, reviewer, member$/,
    ],
    [['role', ...of('ada@example.org'), '--role', ''], 2, /^--role: must be one of/],
    [['add', ...of('ada@example.org', 'No Slug'), '--role', 'member'], 2, /^--team: must be/],
    [['add', ...of('ada@example.org')], 2, /--role/],
    [['remove', '--team', 'harbour'], 2, /--email/],
    [['remove', ...of('ada@example.org'), '--person', 'x'], 2, /either --email/],
    [['remove', '--team', 'harbour', '--person', 'x'], 2, /^--person: /],
  ])('%j is refused with a sentence', async (words, code, sentence) => {
    const answer = await refused(...words);
    expect(answer.stderr).toMatch(sentence);
    expect(answer.code).toBe(code);
  });
});
