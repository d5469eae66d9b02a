import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cosignerVkey } from '../../src/audit/proof-log/format/cosignature.ts';
import { ensureLogKey } from '../../src/audit/proof-log/format/log-key.ts';
import { backupNameAt } from '../../src/backup/backup-folder.ts';
import { drillFolder } from '../../src/backup/drill.ts';
import type { Manifest } from '../../src/backup/manifest.ts';
import { backupRecord, lateDrill, missingCopy, type Drill } from '../../src/backup/record.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { uncopied } from '../../src/runtime/operators/backup-copies.ts';
import { drillWhenDue, removeLeftOver } from '../../src/runtime/operators/backup-drills.ts';
import type { Status } from '../../src/status/status.ts';
import { signLog } from '../audit/signed-log.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let data: string;
let settings: Record<string, string>;
const at = (name: string) => join(folder.path, name);

const run = (...words: readonly string[]) => runCommandLine(words, data, settings);
async function answerTo<Answer>(
  ...words: readonly string[]
): Promise<Answer & { readonly exit: number | null }> {
  const { code, stdout, stderr } = await run(...words, '--json');
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Answer), exit: code };
}
const open = () => openSystem(readConfig({ DATA_DIR: data, ...settings }));
const drilled = (...words: readonly string[]) => answerTo<Drill>('backup', 'drill', ...words);

/** All files of a folder but those that SQLite and leases keep beside. */
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true })
    .map(String)
    .filter((name) => !/leases|-(wal|shm)$/.test(name))
    .sort();

beforeEach(async () => {
  folder = temporaryFolder();
  data = at('data');
  settings = { BACKUP_DIR: at('backups') };
  expect((await run('teams', 'create', 'harbor', '--name', 'Harbor')).code).toBe(0);
  const system = await open();
  const key = await ensureLogKey(system.vault, 'example.org/audit/log');
  await signLog(system, key);
  await system.close();
});
afterEach(() => folder.remove());

describe.skipIf(!isEmbedded)('a drill', () => {
  it('restores the newest backup into a temporary folder, verifies it, and leaves nothing but the record', async () => {
    let calls = 0;
    const outside = createServer((socket) => void ((calls += 1), socket.destroy()));
    await once(outside.listen(0, '127.0.0.1'), 'listening');
    const { port } = outside.address() as AddressInfo;
    settings = {
      ...settings,
      CHECKPOINT_PUSH: at('pushed.txt'),
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      WITNESSES: `${witness()} http://127.0.0.1:${port}`,
    };
    const { log, taken_at } = await answerTo<Manifest>('backup');
    const before = [filesIn(at('backups')), filesIn(data), readFileSync(join(data, 'log.db'))];
    const drill = await drilled();
    expect(drill).toMatchObject({ exit: 0, taken_at, events: log.events, verified: true, failure: null });
    expect([filesIn(at('backups')), filesIn(data), readFileSync(join(data, 'log.db'))]).toEqual(before);
    expect([existsSync(at('pushed.txt')), calls]).toEqual([false, 0]);
    outside.close();
    const { backup } = await answerTo<Status>('status');
    expect(backup.drill).toMatchObject({ taken_at, events: log.events, verified: true, failure: null });
    expect((await run('status')).stdout).toMatch(
      new RegExp(
        `Last drill: \\S+ of the backup of ${taken_at}: restored ${log.events} events in \\d+ s, verified`,
      ),
    );
    const system = await open();
    const [event] = await system.store.readNewest(1);
    await system.close();
    expect(event).toMatchObject({
      type: 'BackupTested',
      data: { taken_at, events: log.events, digest: log.digest, outcome: 'verified' },
    });
    expect((await run('backup', 'drill')).stdout).toMatch(
      /can be restored: \d+ events in \d+ s, as they were signed\./,
    );
  });

  it.each([
    [
      'a file of it was changed',
      (backup: string) => writeFileSync(join(backup, 'events.db'), 'x', { flag: 'a' }),
      /bytes/,
    ],
    ['a file is truncated', (backup: string) => truncateSync(join(backup, 'vault.db'), 4_096), /truncated/],
    ['a file is gone', (backup: string) => rmSync(join(backup, 'log.db')), /log\.db is missing/],
  ] as const)('says that a backup is of no use when %s', async (_what, damage, why) => {
    await answerTo<Manifest>('backup');
    const [name = ''] = readdirSync(at('backups')).filter((each) => each.startsWith('commonweal-'));
    damage(join(at('backups'), name));
    expect(await drilled()).toMatchObject({
      exit: 1,
      verified: false,
      failure: { kind: 'failed', sentence: expect.stringMatching(why) as string },
    });
    expect((await run('backup', 'drill')).stdout).toMatch(/is of no use: /);
    expect(existsSync(drillFolder(at('backups'), await installation()))).toBe(false);
    const status = await answerTo<Status>('status');
    expect(status.exit).toBe(1);
    expect(status.problems).toContainEqual(
      expect.objectContaining({ name: 'drill-failed', weight: 'in danger' }) as unknown,
    );
    // Health is public: the reason names paths.
    expect(status.problems.map(({ sentence }) => sentence).join(' ')).not.toContain(folder.path);
    // The next backup is well, and so is everything.
    await answerTo<Manifest>('backup', at('next'));
    expect(await drilled(at('next'))).toMatchObject({ exit: 0, failure: null });
    expect((await answerTo<Status>('status')).problems.filter(({ check }) => check === 'backup')).toEqual([]);
  });

  it('tests a folder that is named, and refuses what is no folder or no backup of this installation', async () => {
    await answerTo<Manifest>('backup', at('elsewhere'));
    mkdirSync(at('room'));
    expect(await drilled(at('elsewhere'), '--in', at('room'))).toMatchObject({ exit: 0, verified: true });
    expect(readdirSync(at('room'))).toEqual([]);
    expect(await run('backup', 'drill', at('elsewhere'), '--in', at('no'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no folder') as string,
    });
    expect(await drilled(at('room'))).toMatchObject({
      exit: 1,
      failure: { sentence: expect.stringContaining('is no whole backup') as string },
    });
    const path = join(at('elsewhere'), 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
    writeFileSync(path, JSON.stringify({ ...manifest, installation: crypto.randomUUID() }));
    expect(await drilled(at('elsewhere'))).toMatchObject({
      exit: 1,
      failure: { sentence: expect.stringContaining('of another installation') as string },
    });
  });

  it('runs once at a time, and removes what a killed one has left, but not what one works on', async () => {
    await answerTo<Manifest>('backup');
    const system = await open();
    const id = await installation();
    const left = drillFolder(at('backups'), id);
    mkdirSync(join(left, 'restoring'), { recursive: true });
    const lease = await system.leases.tryAcquire('backup-drill');
    expect((await run('backup', 'drill')).stderr).toMatch(/is being tested already/);
    await removeLeftOver(system, [at('backups')]);
    expect(existsSync(left)).toBe(true);
    await lease?.release();
    await removeLeftOver(system, [at('backups'), data]);
    expect(existsSync(left)).toBe(false);
    await system.close();
  });

  it('is due a day after the first look, then every week, and a day after one that failed', async () => {
    await answerTo<Manifest>('backup');
    const system = await open();
    const record = backupRecord(system.side);
    const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));
    let drills = 0;
    const look = async (now: Date, failure?: Drill['failure']) => {
      const before = drills;
      await drillWhenDue(system, now, async () => {
        drills += 1;
        await record.drillDone({ at: now.toISOString(), seconds: 1, verified: true, failure });
      });
      return drills > before;
    };
    expect(await look(day(0))).toBe(false);
    expect(await look(day(1), { kind: 'failed', sentence: 'Broken.' })).toBe(true);
    expect(await look(day(1.5))).toBe(false);
    expect(await look(day(2))).toBe(true);
    expect(await look(day(8))).toBe(false);
    expect(lateDrill(await record.all(), day(11))).toBeUndefined();
    expect(lateDrill(await record.all(), day(13))).toMatch(
      /^No backup has been restored for a test since 2026-01-03/,
    );
    expect(await look(day(9))).toBe(true);
    await record.drillEnded();
    expect(lateDrill(await record.all(), day(99))).toBeUndefined();
    await system.close();
  });
});

describe.skipIf(!isEmbedded)('copies of backups', () => {
  it('are missed when there are newer backups, and not when there are none', async () => {
    const system = await open();
    const record = backupRecord(system.side);
    const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n));
    const missing = async (now: Date) => missingCopy(await record.all(), now);
    await record.taken({ at: hour(0).toISOString(), folder: at('one') });
    expect(await missing(hour(99))).toBeUndefined();
    await record.copyExpected(hour(0));
    expect(await missing(hour(36))).toBeUndefined();
    expect(await missing(hour(37))).toMatch(/^No backup has been copied by BACKUP_AFTER/);
    await record.copySucceeded(hour(0).toISOString());
    expect(await missing(hour(99))).toBeUndefined();
    await record.taken({ at: hour(24).toISOString(), folder: at('two') });
    expect(await missing(hour(37))).toMatch(
      /^The newest backup that BACKUP_AFTER has copied is of 2026-01-01T00/,
    );
    await record.copyFailed('it ended with exit code 1', hour(25));
    await record.copyFailed('it ended with exit code 2', hour(26));
    expect(await missing(hour(26))).toBe(
      'Backups are not copied: BACKUP_AFTER has failed since 2026-01-02T01:00:00.000Z (it ended with exit code 2).',
    );
    await record.copyEnded();
    expect(await missing(hour(99))).toBeUndefined();
    await system.close();
  });

  it('are made of the newest backup in BACKUP_DIR that was not copied, whoever took it', async () => {
    const system = await open();
    expect(await uncopied(system)).toBeUndefined();
    await answerTo<Manifest>('backup');
    await answerTo<Manifest>('backup', at('elsewhere'));
    const found = await uncopied(system);
    expect(found?.folder).toMatch(/backups\/commonweal-/);
    await backupRecord(system.side).copySucceeded(found?.manifest.taken_at ?? '');
    expect(await uncopied(system)).toBeUndefined();
    const later = backupNameAt(new Date(Date.now() + 60_000));
    cpSync(at('elsewhere'), join(at('backups'), later), { recursive: true });
    expect((await uncopied(system))?.folder).toBe(join(at('backups'), later));
    await system.close();
  });
});

const witness = () =>
  cosignerVkey({ name: 'witness.example.org', privateKey: generateKeyPairSync('ed25519').privateKey });

async function installation(): Promise<string> {
  const system = await open();
  const id = await system.installation.id();
  await system.close();
  return id ?? '';
}
