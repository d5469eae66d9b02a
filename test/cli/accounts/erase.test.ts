import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportMistake } from '../../../src/commands/directory/upkeep/mistake.ts';
import { submitForm } from '../../../src/commands/forms-submissions.ts';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { formSubmissionOf, personOf } from '../../../src/personal/personal-data.ts';
import { anAddress } from '../../api/accounts/harness.ts';
import { context } from '../../api/harness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { engineSettings } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

let folder: ReturnType<typeof temporaryFolder>;
let system: System;
beforeAll(async () => {
  folder = temporaryFolder();
  system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
  await system.installation.ensureId();
  await run('teams', 'create', 'harbour', '--name', 'Harbour Network');
});
afterAll(async () => {
  await system.close();
  folder.remove();
});

const run = (...words: readonly string[]) =>
  runCommand(folder.path, ...words) as Promise<Record<string, unknown>>;
const refused = async (...words: readonly string[]) => {
  const { code, stderr } = await runCommandLine(words, folder.path);
  return { code, stderr: stderr.trim() };
};
const hasKey = async (holder: string) => (await system.vault.get(holder)) !== undefined;

async function person(): Promise<{ readonly user: string; readonly email: string }> {
  const email = anAddress();
  const { userId: user } = await registerPerson(
    system,
    { email, profile: { name: 'Ada Lovelace' } },
    context(),
  );
  const { email: index } = await requirePerson(system, user);
  await commandPerson(system, user, { kind: 'verify-email', email: index }, context());
  return { user, email };
}

describe('commonweal erase', () => {
  test('asks for an erasure by address or id, withdraws it, and erases at once', async () => {
    const { user, email } = await person();
    const asked = await run('erase', email);
    expect(asked).toMatchObject({ user, status: 'erasure_requested', held: false, keys: [] });
    expect(Date.parse(asked['due_at'] as string) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect(await run('erase', user, '--withdraw')).toMatchObject({ user, status: 'active' });
    expect(await hasKey(personOf(user))).toBe(true);
    expect(await run('erase', user, '--now')).toMatchObject({ user, status: 'erased' });
    expect(await hasKey(personOf(user))).toBe(false);
    expect(await refused('erase', email)).toEqual({
      code: 1,
      stderr: expect.stringContaining('There is no') as string,
    });
  });

  test('erases nobody under a legal hold, and says so', async () => {
    const { user, email } = await person();
    const { hold } = await run('hold', 'place', email, '--reason', 'A case at court.');
    expect(await run('hold', 'list')).toMatchObject([{ user, hold, reason: 'A case at court.', email }]);
    expect(await refused('erase', user, '--now')).toEqual({
      code: 1,
      stderr: expect.stringContaining('under a legal hold') as string,
    });
    expect(await run('erase', user)).toMatchObject({ status: 'erasure_requested', held: true });
    const { hold: second } = await run('hold', 'place', user, '--reason', 'Another case.');
    expect((await refused('hold', 'lift', user)).stderr).toContain(
      `--hold ${String(hold)} or ${String(second)}`,
    );
    await run('hold', 'lift', user, '--hold', String(second));
    expect(await run('hold', 'lift', email)).toMatchObject({ holds_left: 0 });
    expect(await refused('hold', 'lift', email)).toMatchObject({ code: 1 });
    expect(await run('erase', user, '--now')).toMatchObject({ status: 'erased' });
    expect(await run('hold', 'list')).toEqual([]);
  });

  test('names what to do first, and shows the keys that stay', async () => {
    const [ada, ben] = [await person(), await person()];
    await run('members', 'add', '--team', 'harbour', '--email', ada.email, '--role', 'admin');
    await run('members', 'add', '--team', 'harbour', '--email', ben.email, '--role', 'member');
    const { code, stderr } = await refused('erase', ada.email, '--now');
    expect(code).toBe(1);
    expect(stderr).toContain('the only admin of the team harbour');
    expect(stderr).toContain('--even-if-last');
    const label = 'Ada’s script';
    const { key_id } = await run(
      ...['keys', 'create', '--kind', 'team', '--team', 'harbour', '--scopes', 'resources:read'],
      ...['--label', label, '--for', ada.email],
    );
    const stored = async () =>
      JSON.stringify(await run('audit', 'events', '--stream', `api-key-${String(key_id)}`));
    const listed = async () => (await run('keys', 'list')) as unknown as { label?: string }[];
    expect(await listed()).toMatchObject([{ key_id, label }]);
    expect(await run('erase', ada.email, '--now', '--even-if-last')).toMatchObject({
      status: 'erased',
      keys: [{ key_id, label }],
    });
    expect(await stored()).not.toContain(label);
    expect((await listed()).map((key) => key.label)).toEqual([undefined]);
    expect(await run('members', 'list', '--team', 'harbour')).toMatchObject([{ user: ben.user }]);
  });

  test('erases submissions, reports and invitations', async () => {
    const sent = await submitForm(
      system,
      { team: 'harbour', form: crypto.randomUUID(), version: 1 },
      { name: 'Ada' },
      context(),
    );
    const { submission } = sent.events[0]?.data as { submission: string };
    expect(await run('erase', '--submission', submission)).toEqual({ submission, status: 'erased' });
    expect(await hasKey(formSubmissionOf(submission))).toBe(false);
    const about = {
      svc_id: 'r_0000000000000001',
      team: 'harbour',
      kind: 'closed',
      said: { text: 'Ask Ada.' },
    } as const;
    const told = await reportMistake(system, about, context());
    const { report } = told.events[0]?.data as { report: string };
    expect(await run('erase', '--report', report)).toEqual({ report, status: 'erased' });
    expect(await hasKey(`mistake/${report}`)).toBe(false);
    const invited = anAddress();
    await run('members', 'invite', '--team', 'harbour', '--email', invited, '--role', 'member');
    const mails = async () => (await new Outbox(system).waiting()).filter(({ to }) => to === invited);
    expect(await mails()).toHaveLength(1);
    const [key = ''] = await system.vault.names('invitation/');
    const invitation = key.slice('invitation/'.length);
    expect(await run('erase', '--invitation', invitation)).toMatchObject({ invitation, status: 'erased' });
    expect(await hasKey(key)).toBe(false);
    expect(await mails(), 'the address is in the email, too').toEqual([]);
    for (const what of ['--submission', '--report', '--invitation'])
      expect((await refused('erase', what, crypto.randomUUID())).code, what).toBe(1);
  });

  test('says what is wrong with a command line', async () => {
    expect((await refused('erase')).stderr).toContain('Say what to erase');
    expect((await refused('erase', 'nobody')).stderr).toContain('an email address or the id of an account');
    expect((await refused('erase', 'a@example.org', '--report', crypto.randomUUID())).stderr).toContain(
      'Say what',
    );
    expect((await refused('hold', 'place', 'nobody@example.org', '--reason', 'x')).code).toBe(1);
    expect((await refused('hold', 'place', (await person()).user, '--reason', '  ')).stderr).toContain(
      'reason',
    );
  });
});

describe('commonweal own-data', () => {
  test('writes everything about a person to a file that only its owner reads', async () => {
    const { user, email } = await person();
    const out = join(folder.path, 'ada.json');
    expect((await runCommandLine(['own-data', email, '--out', out], folder.path)).code).toBe(0);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const data = JSON.parse(readFileSync(out, 'utf8')) as Record<string, { type: string; by: string }[]>;
    expect(data['account']).toMatchObject({ user, email, name: 'Ada Lovelace' });
    expect(data['events']?.at(-1)).toMatchObject({ type: 'OwnDataExported', by: 'system cli' });
    expect((await refused('own-data', email, '--out', out)).code).toBe(1);
    const { stdout } = await runCommandLine(['own-data', user], folder.path);
    expect(JSON.parse(stdout)).toMatchObject({ account: { email } });
  });
});
