import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { Outbox } from '../../src/mail/outbox.ts';
import { EmbeddedSideStore } from '../../src/stores/side/embedded.ts';
import { start } from '../faults/processes.ts';
import { isEmbedded, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { startMailServer } from './smtp-server.ts';

test.skipIf(!isEmbedded)(
  onEngines('mail goes on after its store has failed, and no mail goes twice'),
  { timeout: 120_000 },
  async () => {
    const folder = temporaryFolder();
    let onTaken = () => undefined as unknown;
    const mailServer = await startMailServer(() => onTaken());
    const running = start('src/main.js', ['serve', '--json'], folder.path, { SMTP_URL: mailServer.url });
    onTestFinished(async () => {
      await running.kill();
      await mailServer.stop();
      folder.remove();
    });
    await until(() => running.written().includes('\n'));
    const masterKey = await until(() => readFileOnceThere(join(folder.path, 'master.key')));
    const side = new EmbeddedSideStore(folder.path);
    const outbox = new Outbox({ side, masterKey });
    const put = (to: string) => outbox.put({ to, subject: 'Hello', text: 'Hello.\n' }, 3_600);

    // When the first mail is to be removed, another process holds the lock for longer than the server waits for it.
    const lock = new DatabaseSync(join(folder.path, 'side.db'));
    onTaken = () => lock.exec('BEGIN IMMEDIATE');
    await put('first@example.org');
    await until(() => mailServer.taken.length === 1);
    onTaken = () => undefined;
    await until(() => /^mail: \S+side\.db: another process has held the lock/m.test(running.complaints()));
    lock.close();

    await put('second@example.org');
    await until(async () => (await outbox.waiting()).length === 0);
    await side.close();
    expect(mailServer.taken.map(({ to }) => to)).toEqual(['first@example.org', 'second@example.org']);
    expect((await running.stop()).code).toBe(0);
    // Each once, and no address: the registry of nodes writes to the same store.
    const complaints = running.complaints().trimEnd().split('\n').sort();
    expect(complaints[0]).toMatch(/^mail: [^@]*held the lock for too long$/);
    for (const other of complaints.slice(1)) expect(other).toMatch(/^node-registry: [^@]*held the lock/);
  },
);

function readFileOnceThere(path: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(path, 'utf8'), 'base64');
  } catch {
    return undefined;
  }
}
