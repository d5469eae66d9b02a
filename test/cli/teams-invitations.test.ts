import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandPerson, registerPerson, requirePerson } from '../../src/commands/accounts/person.ts';
import { acceptInvitation } from '../../src/commands/teams/member.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { context } from '../api/harness.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

const folder = temporaryFolder();
let beside: System;
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  await runCommand(folder.path, 'teams', 'scopes', 'harbour', '--enable', 'members:read');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

interface Open {
  readonly invitation: string;
  readonly email: string;
  readonly role: string;
  readonly expires_at: string;
}

const of = (email: string) => ['--team', 'harbour', '--email', email] as const;
const command = <Answer>(...words: readonly string[]) => runCommand(folder.path, ...words) as Promise<Answer>;
const invite = (email: string, role = 'member') =>
  command<Open>('members', 'invite', ...of(email), '--role', role);
const open = () => command<Open[]>('members', 'invitations', '--team', 'harbour');
const line = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await runCommandLine(words, folder.path);
  return { code, stdout, stderr: stderr.trim() };
};
const mails = async (to: string) => (await new Outbox(beside).waiting()).filter((mail) => mail.to === to);

async function account(name: string) {
  const email = `${name.toLowerCase()}@example.org`;
  const { userId } = await registerPerson(beside, { email, profile: { name } }, context());
  const { email: index } = await requirePerson(beside, userId);
  await commandPerson(beside, userId, { kind: 'verify-email', email: index }, context());
  return { user: userId, email };
}

describe('invitations', () => {
  test('are sent, listed with address, role and time, replaced and withdrawn', async () => {
    const email = 'ada@example.org';
    const first = await invite(` ${email} `, 'admin');
    expect(first).toMatchObject({ team: 'harbour', email, role: 'admin' });
    expect(JSON.stringify(first)).not.toContain('lnk_');
    const [mail] = await mails(email);
    expect(mail?.subject).toBe('Invitation to Harbour House');
    expect(mail?.text).toMatch(/http:\/\/localhost:3000\/dash\/join\/harbour\?link=lnk_[0-9A-Za-z]+\n/);
    expect(await open()).toMatchObject([
      { invitation: first.invitation, email, role: 'admin', expires_at: first.expires_at },
    ]);
    const second = await invite(email, 'reviewer');
    expect(await open()).toMatchObject([{ invitation: second.invitation, role: 'reviewer' }]);
    expect(await mails(email), 'the former email has a link that no longer works').toHaveLength(1);
    const shown = await line('members', 'invitations', '--team', 'harbour');
    expect(shown.stdout).toMatch(/^INVITATION +EMAIL +ROLE +UNTIL\n\S+ +ada@example.org +reviewer +\S+Z\n$/);
    expect(await command('members', 'withdraw', second.invitation)).toMatchObject({ status: 'withdrawn' });
    expect(await mails(email)).toEqual([]);
    expect(await command('members', 'withdraw', first.invitation)).toMatchObject({ status: 'replaced' });
    expect(await open()).toEqual([]);
    const said = await line('members', 'invite', ...of(email), '--role', 'member');
    expect(said.stdout).toMatch(/^ada@example.org is invited to harbour: member, until \S+Z\.$/m);
    expect(said.stdout).toContain('The email waits in the outbox, because no mail server is set');
    expect(said.stdout).not.toContain('lnk_');
    const invitation = /invitation-link (\S+)/.exec(said.stdout)?.[1] ?? '';
    const copied = await line('members', 'invitation-link', invitation);
    expect(copied.stdout).toMatch(/\/dash\/join\/[a-z0-9-]+\?link=lnk_[0-9A-Za-z]+$/m);
  });

  test('are refused in words', async () => {
    const { user, email } = await account('Grace');
    const { invitation } = await invite(email);
    await acceptInvitation(beside, { team: 'harbour', invitation, user }, context());
    expect(await line('members', 'invite', ...of(email), '--role', 'admin')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is a member of the team already/) as string,
    });
    expect(await line('members', 'withdraw', invitation)).toMatchObject({
      code: 1,
      stderr: 'This invitation was used: its person joined. Remove the member.',
    });
    for (const nobody of ['rubbish', crypto.randomUUID()]) {
      expect(await line('members', 'withdraw', nobody)).toMatchObject({
        code: 1,
        stderr: 'There is no such invitation.',
      });
    }
    expect(await line('members', 'invite', ...of('rubbish'), '--role', 'member')).toMatchObject({
      code: 1,
      stderr: 'This is not an email address. It should look like name@example.org.',
    });
    expect((await line('members', 'invite', ...of('b@example.org'), '--role', 'owner')).code).toBe(2);
    expect((await line('members', 'invitations', '--team', 'nobody')).stderr).toBe(
      'There is no team nobody.',
    );
  });
});

describe('removing a member', () => {
  test('shows the keys that they made for the team, and revokes them when told to', async () => {
    const { user, email } = await account('Joan');
    await command('members', 'add', ...of(email), '--role', 'member');
    const keyFor = (label: string, ...more: string[]) =>
      command<{ key_id: string }>(
        ...['keys', 'create', '--kind', 'team', '--team', 'harbour', '--scopes', 'members:read'],
        ...['--label', label, ...more],
      );
    const theirs = await keyFor('Joan’s script', '--for', email);
    const ours = await keyFor('Web site');
    const revokedBefore = await keyFor('Old', '--for', email);
    await command('keys', 'revoke', revokedBefore.key_id);
    const status = async () =>
      new Map(
        (await command<{ key_id: string; status: string }[]>('keys', 'list')).map((key) => [
          key.key_id,
          key.status,
        ]),
      );

    const { stdout } = await line('members', 'remove', ...of(email));
    expect(stdout).toMatch(/^joan@example.org does not belong to harbour\.\nThe person made these keys/);
    expect(stdout).toContain(theirs.key_id);
    expect(stdout).toContain('--revoke-keys');
    for (const other of [ours, revokedBefore]) expect(stdout).not.toContain(other.key_id);
    expect((await status()).get(theirs.key_id)).toBe('active');

    expect(await command('members', 'remove', ...of(email), '--revoke-keys')).toMatchObject({
      user,
      status: 'left',
      keys: [{ key_id: theirs.key_id, label: 'Joan’s script' }],
      keys_revoked: true,
    });
    expect((await status()).get(theirs.key_id)).toBe('revoked');
    expect((await status()).get(ours.key_id)).toBe('active');
  });

  test('finds no key that is made for somebody who is no member', async () => {
    const { email } = await account('Mallory');
    const wish = ['keys', 'create', '--kind', 'team', '--team', 'harbour', '--scopes', 'members:read'];
    expect(await line(...wish, '--for', email)).toMatchObject({
      code: 1,
      stderr: 'A key is made for a member of its team: this person is none.',
    });
  });
});
