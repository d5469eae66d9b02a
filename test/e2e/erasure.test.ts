import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { createSecretKey, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantConsent } from '../../src/commands/oauth/consent.ts';
import { submitForm } from '../../src/commands/forms-submissions.ts';
import { recordPayment } from '../../src/commands/payments.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { commandPerson, registerPerson, requirePerson } from '../../src/commands/accounts/person.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { deliveryDetails } from '../../src/dispatch/operations/delivery-details.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { formSubmissionOf, personOf } from '../../src/personal/personal-data.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { derivedKey, masterKeys } from '../../src/ground/master-key.ts';
import { unseal } from '../../src/ground/seal.ts';
import { context } from '../api/harness.ts';
import { receiver, type Receiver } from '../dispatch/receivers.ts';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { until } from '../support/until.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';

/** What the person says of themselves, by pieces that occur nowhere else. */
const pieces = [
  'philomena.quist',
  'Quistgaard',
  '202 555 0143',
  'quistling',
  'For the tuba lessons',
  'insulin',
];
const email = 'philomena.quist@mailbox.example';
const password = 'seven quiet herons wading';
const profile = { name: 'Philomena Quistgaard', username: 'quistling', phone: '+1 202 555 0143' };

const folder = temporaryFolder();
const [older, backup] = [`${folder.path}-older`, `${folder.path}-backup`];
let system: System;
let serving: Serving | undefined;
let user: string;
let held: string;
let submission: string;
let hook: Receiver;

/** The sealed bytes of data keys, as they stand in the vault. */
function sealedKeys(path: string): Map<string, Buffer> {
  const db = new DatabaseSync(join(path, 'vault.db'), { readOnly: true });
  const rows = db.prepare('SELECT name, sealed FROM secrets').all() as { name: string; sealed: Uint8Array }[];
  db.close();
  return new Map(rows.map(({ name, sealed }) => [name, Buffer.from(sealed)]));
}

/** Mails that wait, as they stand in the side store: the master key opens them. */
function sealedMails(path: string): Buffer[] {
  const db = new DatabaseSync(join(path, 'side.db'), { readOnly: true });
  const rows = db.prepare("SELECT value FROM entries WHERE name = 'mail'").all() as { value: string }[];
  db.close();
  return rows.map(({ value }) => Buffer.from(value));
}

/** What the receiver answered, of all deliveries that were attempted, as people are shown it. */
async function heard(): Promise<string[]> {
  const filter = { types: ['DeliveryAttemptFailed'] };
  const { events } = await system.store.readAll({ after: beginning, filter, limit: 100 });
  const ids = new Set(events.map(({ stream }) => stream.replace('webhook-delivery-', '')));
  const shown = await Promise.all([...ids].map((id) => deliveryDetails(system, id)));
  return shown.flatMap(({ attempts }) => attempts.flatMap(({ response }) => response?.text ?? []));
}

/**
 * Runs a script in a process of its own, and returns what it prints. Files are touched there: when this process closes
 * one that SQLite has open here, the system drops SQLite's locks on it (POSIX).
 */
const apart = (script: string, ...given: string[]): string =>
  execFileSync(process.execPath, ['-e', `const { argv } = process; ${script}`, ...given]).toString();

/** The files under a folder that have these bytes anywhere: in pages, free pages and write-ahead logs. */
const filesWith = (path: string, wanted: Buffer | string): string[] =>
  JSON.parse(apart(search, path, Buffer.from(wanted).toString('hex'))) as string[];

const search = `
  const wanted = Buffer.from(argv[2], 'hex');
  const files = fs.readdirSync(argv[1], { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = files.filter(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name)).includes(wanted));
  console.log(JSON.stringify(found.map(({ name }) => name)));`;

// It looks into the files of the embedded stores.
describe.skipIf(!isEmbedded)('the data folder', () => {
  beforeAll(async () => {
    serving = await startServing(folder.path, { ALLOW_PRIVATE_WEBHOOKS: 'true' });
    system = await openSystem(readConfig({ DATA_DIR: folder.path }));
    await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour Network');
    // It answers with what it was sent, and with what it knows of the person itself.
    hook = await receiver((response, { body, headers }) => {
      const known = headers['x-service-event'] === 'member.joined' ? '' : profile.name;
      const { data } = JSON.parse(body.toString()) as { data: object };
      response.setHeader('x-known', Buffer.from(JSON.stringify(data)).toString('latin1'));
      response.writeHead(500).end(`${body.toString()} ${known}`);
    });
    const events = ['member.joined', 'form.submitted', 'payment.received'] as const;
    const wish = { team: 'harbour', url: hook.url, events };
    await createSubscription(system, wish, newSigningSecret(randomBytes), context());
    const account = async (address: string, name: string) => {
      const wish = { email: address, password, profile: { ...profile, name } };
      const { userId } = await registerPerson(system, wish, context());
      const { email: index } = await requirePerson(system, userId);
      await commandPerson(system, userId, { kind: 'verify-email', email: index }, context());
      await joinTeam(system, { team: 'harbour', user: userId, role: 'member' }, context());
      return userId;
    };
    user = await account(email, profile.name);
    held = await account('held@mailbox.example', 'Somebody Held');
    await runCommand(folder.path, 'hold', 'place', held, '--reason', 'A case at court.');
    const client = 'site_00000000';
    await grantConsent(system.store, { user, client }, ['openid', 'email'], context());
    const paid = { member_id: user, amount_minor: 1_250, currency: 'USD', memo: 'For the tuba lessons' };
    await recordPayment(system, 'harbour', paid, context());
    const unexplained = { member_id: user, amount_minor: 7, currency: 'USD' };
    await recordPayment(system, 'harbour', unexplained, context());
    const form = { team: 'harbour', form: crypto.randomUUID(), version: 1 };
    const sent = await submitForm(system, form, { need: 'insulin', name: profile.name }, context());
    submission = (sent.events[0]?.data as { submission: string }).submission;
    await new Outbox(system).put({ to: email, subject: 'Hello', text: `Dear ${profile.name}` }, 3_600);
    const browser = await new PlainBrowser(serving.origin.replace('127.0.0.1', 'localhost')).open(
      '/dash/sign-in',
    );
    await browser.press('Sign in', { email, password });
    expect(browser.heading).toBe('Home');
    await until(async () => (await heard()).length === 5);
    expect((await heard()).filter((text) => text.includes('Quistgaard'))).toHaveLength(4);
    await serving.stop();
    serving = undefined;
  }, 120_000);
  afterAll(async () => {
    await serving?.stop();
    await system.close();
    await hook[Symbol.asyncDispose]();
    for (const path of [folder.path, older, backup]) rmSync(path, { recursive: true, force: true });
  });

  test('after an erasure no file has the person, their sealed key is gone, and who is held stays', async () => {
    const own = [personOf(user), formSubmissionOf(submission)];
    const keys = sealedKeys(folder.path);
    const passwords = [...keys.keys()].filter((name) => name.startsWith(`password/${user}/`));
    const doomed = [...own, ...passwords].map((name) => keys.get(name) ?? Buffer.from('missing'));
    doomed.push(...sealedMails(folder.path));
    expect(passwords).toHaveLength(1);
    expect(doomed).toHaveLength(4);
    for (const key of doomed) expect(filesWith(folder.path, key)).not.toEqual([]);
    apart('fs.cpSync(argv[1], argv[2], { recursive: true })', folder.path, older);

    await runCommand(folder.path, 'erase', email, '--now');
    await runCommand(folder.path, 'erase', '--submission', submission);
    const refused = await runCommandLine(['erase', held, '--now'], folder.path);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('legal hold') as string });

    // While a process has the files open, and after everything was closed, opened and backed up.
    const look = (path: string) => {
      for (const piece of pieces) expect(filesWith(path, piece), piece).toEqual([]);
      for (const key of doomed) expect(filesWith(path, key)).toEqual([]);
    };
    look(folder.path);
    serving = await startServing(folder.path);
    expect((await runCommandLine(['backup', backup, '--side', '--json'], folder.path)).code).toBe(0);
    await serving.stop();
    serving = undefined;
    look(folder.path);
    look(backup);
    expect(await system.vault.get(personOf(held))).toBeDefined();

    // Opening what the log still has fails with everything that the master key opens.
    const masterKey = createSecretKey(derivedKey(masterKeys(system.masterKey)[0], 'vault'));
    const left = [...sealedKeys(folder.path)].map(([name, sealed]) => unseal(masterKey, name, sealed));
    const events = await system.store.readStream(`user-${user}`);
    const sealed = Buffer.from((events[0]?.data as { profile: string }).profile, 'base64url');
    for (const key of left.filter(({ length }) => length === 32))
      expect(() => unseal(createSecretKey(key), personOf(user), sealed)).toThrow();
    const { code, stdout } = await runCommandLine(['verify', '--json'], folder.path);
    expect(code, stdout).toBe(0);

    // A vault from before the erasure brings nobody back: the next start destroys the keys again.
    await system.close();
    for (const suffix of ['-wal', '-shm', ''])
      if (suffix === '' || readdirSync(older).includes(`vault.db${suffix}`))
        cpSync(join(older, `vault.db${suffix}`), join(folder.path, `vault.db${suffix}`));
    expect(filesWith(folder.path, doomed[0] ?? '')).not.toEqual([]);
    serving = await startServing(folder.path);
    await serving.stop();
    serving = undefined;
    for (const key of doomed) expect(filesWith(folder.path, key)).toEqual([]);
  }, 120_000);
});
