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
  { timeout: 60_000 },
  async () => {
    const folder = temporaryFolder();
    const mailServer = await startMailServer();
    const running = start('src/main.ts', ['serve', '--json'], folder.path, { SMTP_URL: mailServer.url });
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

    // Somebody else holds the lock for longer than the server waits for it.
    await put('first@example.org');
    const lock = new DatabaseSync(join(folder.path, 'side.db'));
    lock.exec('BEGIN IMMEDIATE');
    await until(() => mailServer.taken.length === 1);
    await until(() => running.complaints().includes('side.db: another process has held the lock'));
    lock.close();

    await put('second@example.org');
    await until(async () => (await outbox.waiting()).length === 0);
    await side.close();
    expect(mailServer.taken.map(({ to }) => to)).toEqual(['first@example.org', 'second@example.org']);
    expect((await running.stop()).code).toBe(0);
    expect(running.complaints()).toMatch(/^mail: [^\n@]*held the lock for too long\n$/);
  },
);

function readFileOnceThere(path: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(path, 'utf8'), 'base64');
  } catch {
    return undefined;
  }
}
