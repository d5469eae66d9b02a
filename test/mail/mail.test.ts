import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mailDelivery } from '../../src/mail/deliver.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { mailRecord, waitingMails } from '../../src/mail/record.ts';
import { smtpTransport } from '../../src/mail/smtp.ts';
import { runJob } from '../../src/ground/job.ts';
import { startSystem, type RunningSystem } from '../api/harness.ts';
import { until } from '../support/until.ts';
import { startMailServer } from './smtp-server.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const mail = (to: string) => ({
  to,
  subject: 'Grüße',
  text: 'Hello,\n\nhttps://id.example/dash/verify?link=lnk_secret\n',
});

function outboxAt(now = () => new Date()) {
  const { side, masterKey } = system.system;
  return new Outbox({ side, masterKey }, now);
}

/** A server, and somebody who carries mails there. */
async function carrying() {
  const server = await startMailServer();
  const carrier = smtpTransport({ url: server.url, from: 'Commonweal <no-reply@id.example>' });
  const done = new AbortController();
  const complaints: string[] = [];
  const { side, leases } = system.system;
  const timing = { lookMs: 5, firstPauseMs: 20, longestPauseMs: 40 };
  const onRefused = (message: string) => void complaints.push(message);
  const record = mailRecord(side);
  const work = mailDelivery({ outbox: outboxAt(), carrier, onRefused, record, timing });
  const onFault = (_job: string, error: unknown) => onRefused(String(error));
  const ended = runJob({ side, leases, onFault }, { name: 'mail', lease: 'mail', work }, done.signal);
  onTestFinished(async () => {
    done.abort();
    await ended;
    carrier.close();
    await server.stop();
  });
  return { server, complaints, record };
}

describe('the outbox', () => {
  test('keeps mails sealed, the newest first for people, until they are of no more use', async () => {
    let now = Date.now();
    const outbox = outboxAt(() => new Date(now));
    await outbox.put(mail('first@example.org'), 3_600);
    now += 1_000;
    await outbox.put(mail('second@example.org'), 3_600);
    expect((await outbox.newest()).map(({ to }) => to)).toEqual(['second@example.org', 'first@example.org']);
    expect((await outbox.waiting()).map(({ to }) => to)).toEqual(['first@example.org', 'second@example.org']);
    const bytes = ['side.db', 'side.db-wal']
      .map((file) => readFileSync(join(system.folder, file), 'latin1'))
      .join('');
    expect(bytes).not.toMatch(/first@|lnk_secret|example\.org/);
    for (const mail of await outbox.waiting()) await outbox.remove(mail);
    now -= 7_200_000;
    await outbox.put(mail('late@example.org'), 3_600);
    expect(await outbox.waiting()).toEqual([]);
  });
});

describe('a mail server', () => {
  test('is handed each mail once, as plain text to one address', async () => {
    const { server, complaints } = await carrying();
    await outboxAt().put(mail('somebody@example.org'), 3_600);
    const { to, message } = await until(() => server.taken[0]);
    expect(to).toBe('somebody@example.org');
    expect(message).toContain('From: Commonweal <no-reply@id.example>');
    expect(message).toContain('Auto-Submitted: auto-generated');
    expect(message).toMatch(/Content-Type: text\/plain; charset=utf-8/);
    expect(message.replaceAll('=\n', '').replaceAll('=3D', '=')).toContain(
      'https://id.example/dash/verify?link=lnk_secret',
    );
    await until(async () => (await outboxAt().waiting()).length === 0);
    expect(server.taken).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('is handed a mail that is to wait when its time has come, and others meanwhile', async () => {
    const { server } = await carrying();
    const at = (ms: number) => new Date(Date.now() + ms);
    await outboxAt().put(mail('later@example.org'), 7_200, at(3_600_000));
    await outboxAt().put(mail('due@example.org'), 3_600, at(-1));
    await outboxAt().put(mail('now@example.org'), 3_600);
    await until(() => server.taken.length === 2);
    expect(server.taken.map(({ to }) => to)).toEqual(['due@example.org', 'now@example.org']);
    const [waiting] = await until(async () => {
      const all = await outboxAt().waiting();
      return all.length === 1 ? all : undefined;
    });
    expect(waiting?.to).toBe('later@example.org');
    await outboxAt().remove({ id: waiting?.id ?? '' });
  });

  test('is handed the others when a mail cannot be opened, which is named once and stays', async () => {
    const table = system.system.side.table<string>('mail');
    const outbox = outboxAt();
    const now = Date.now();
    const until1h = new Date(now + 3_600_000);
    const foreign = new Outbox({ side: system.system.side, masterKey: randomBytes(32) });
    await foreign.putOnce(mail('foreign@example.org'), {
      key: 'foreign',
      at: new Date(now - 1),
      until: until1h,
    });
    const at = String(now).padStart(15, '0');
    await table.put(`${at}-damaged`, 'AAAA', until1h);
    await outbox.put(mail('somebody@example.org'), 3_600);
    const { server, complaints } = await carrying();
    await until(() => server.taken[0]);
    await outbox.put(mail('another@example.org'), 3_600);
    await until(() => server.taken[1]);
    expect(server.taken.map(({ to }) => to)).toEqual(['somebody@example.org', 'another@example.org']);
    expect(complaints).toHaveLength(2);
    expect(complaints.join()).toMatch(/-foreign of .* cannot be opened.*-damaged of .* cannot be opened/s);
    expect((await outbox.read()).unreadable.map(({ id }) => id)).toEqual([
      expect.stringMatching(/-foreign$/),
      `${at}-damaged`,
    ]);
    // With its key it is sent. It can also be withdrawn, without being opened.
    expect((await foreign.waiting()).map(({ to }) => to)).toEqual(['foreign@example.org']);
    expect(await outbox.underOtherKeys()).toBe(0);
    await outbox.withdraw(['foreign', 'damaged']);
    expect((await outbox.read()).unreadable).toEqual([]);
  });

  test('that is busy is asked again, and the log hears of it without the address', async () => {
    const { server, complaints, record } = await carrying();
    const busy = Array.from({ length: 20 }, () => '451 somebody@example.org is busy');
    server.refusals.push(...busy);
    await outboxAt().put(mail('somebody@example.org'), 3_600);
    const { refused } = await until(async () => {
      const newest = await record.newest();
      return newest.refused && newest;
    });
    expect(refused?.error).toMatch(/EENVELOPE 451/);
    expect(await waitingMails(system.system.side, new Date())).toEqual({ waiting: 1, late: 0 });
    expect(await waitingMails(system.system.side, new Date(Date.now() + 3_601_000))).toMatchObject({
      late: 1,
    });
    await until(() => complaints.length > 1);
    expect((await record.newest()).refused?.since).toBe(refused?.since);
    server.refusals.length = 0;
    await until(() => server.taken[0]);
    await until(async () => (await record.newest()).refused === undefined);
    expect((await record.newest()).sent_at).toMatch(/Z$/);
    expect(complaints.join()).toMatch(/EENVELOPE 451/);
    expect(complaints.join()).not.toContain('@');
  });

  test('that refuses an address for good is not asked again', async () => {
    const { server, complaints } = await carrying();
    server.refusals.push('550 no such user somebody@example.org');
    await outboxAt().put(mail('somebody@example.org'), 3_600);
    await until(async () => complaints.length > 0 && (await outboxAt().waiting()).length === 0);
    expect(complaints.join()).not.toContain('@');
    expect(server.taken).toEqual([]);
  });

  test('takes no list of addresses for one', async () => {
    const { server } = await carrying();
    await outboxAt().put(mail('one@example.org, two@example.org'), 3_600);
    await until(async () => (await outboxAt().waiting()).length === 0 || server.taken.length > 0).catch(
      () => undefined,
    );
    expect(server.taken.map(({ to }) => to)).not.toContain('two@example.org');
  });
});
