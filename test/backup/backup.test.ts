import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureLogKey } from '../../src/audit/proof-log/format/log-key.ts';
import { sealNewest } from '../../src/audit/proof-log/sealed-tree.ts';
import { readLogFacts } from '../../src/backup/log-facts.ts';
import { sha256Of, type Manifest } from '../../src/backup/manifest.ts';
import { backupNameAt } from '../../src/backup/backup-folder.ts';
import { pruneBackups } from '../../src/backup/prune.ts';
import { backupRecord, lateBackup } from '../../src/backup/record.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { backUp, backUpWhenDue } from '../../src/runtime/operators/backups.ts';
import { signLog } from '../audit/signed-log.ts';
import { smallDisk, withoutSmallDisk } from '../stores/fixtures/small-disk.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: ReturnType<typeof temporaryFolder>;
let data: string;
const at = (name: string) => join(folder.path, name);

const run = (words: readonly string[], dataDir = data, settings: Record<string, string> = {}) =>
  runCommandLine(words, dataDir, settings);
async function answerTo<Answer>(words: readonly string[], dataDir = data, settings = {}): Promise<Answer> {
  const { code, stdout, stderr } = await run([...words, '--json'], dataDir, settings);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}
const takeBackup = (name = 'backup') => answerTo<Manifest>(['backup', at(name)]);
const open = (dataDir = data) => openSystem(readConfig({ DATA_DIR: dataDir }));

/** A folder as a new machine has it: with the master key and the erasure ledger, which were kept in another place. */
function newMachine(name = 'new', { ledger = true } = {}): string {
  mkdirSync(at(name));
  copyFileSync(join(data, 'master.key'), join(at(name), 'master.key'));
  const kept = join(data, 'erasures.log');
  if (ledger && existsSync(kept)) copyFileSync(kept, join(at(name), 'erasures.log'));
  return at(name);
}

/** Writes the manifest of a backup anew, as somebody does who has changed its files. */
async function resealManifest(backup: string, change: (manifest: Manifest) => Manifest = (each) => each) {
  const path = join(backup, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const files = await Promise.all(
    manifest.files.map(async ({ name }) => ({
      name,
      bytes: statSync(join(backup, name)).size,
      sha256: await sha256Of(join(backup, name)),
    })),
  );
  writeFileSync(path, JSON.stringify(change({ ...manifest, files })));
}

beforeEach(async () => {
  folder = temporaryFolder();
  data = at('data');
  await answerTo(['teams', 'create', 'harbor', '--name', 'Harbor']);
  await answerTo(['administrators', 'add', '--email', 'ada@example.org', '--name', 'Ada Lovelace']);
});
afterEach(() => folder.remove());

describe.skipIf(!isEmbedded)('a backup', () => {
  it('restores to the same log, vault and consumer groups on an empty machine', async () => {
    const manifest = await takeBackup();
    expect(manifest.files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['events.db', 'vault.db']) as string[],
    );
    const there = newMachine();
    const restored = await answerTo<Manifest>(['restore', at('backup')], there);
    expect(restored.log).toEqual(manifest.log);
    const again = await answerTo<Manifest>(['backup', at('again')], there);
    expect(again.log).toEqual(manifest.log);
    const people = await answerTo<{ email: string }[]>(['administrators', 'list'], there);
    expect(JSON.stringify(people)).toContain('ada@example.org');
  });

  it('of the side store has no counts of searches of the day that goes on, nor their key', async () => {
    const system = await open();
    const [passing, kept] = ['A'.repeat(40), 'B'.repeat(40)];
    await system.side.table('needs-of-today').put('2026-11-29/key', passing);
    await system.side.table('needs').put('day/2026-11-29/dentist|health|', kept);
    await system.close();
    await answerTo(['backup', at('backup'), '--side']);
    const copy = readFileSync(join(at('backup'), 'side.db')).toString('latin1');
    expect(copy).toContain(kept);
    expect(copy).not.toContain(passing);
    expect(readFileSync(join(data, 'side.db')).toString('latin1')).toContain(passing);
  });

  it('does not hold the master key, and says so', async () => {
    const { stdout } = await run(['backup', at('backup')]);
    expect(stdout).toContain('The master key is not in this backup.');
    const key = readFileSync(join(data, 'master.key'), 'utf8');
    for (const name of readdirSync(at('backup')))
      expect(readFileSync(join(at('backup'), name)).includes(key)).toBe(false);
    expect(readdirSync(at('backup'))).not.toContain('master.key');
  });

  it('is the state of one moment, however much is appended meanwhile', async () => {
    const system = await open();
    const busy = new AbortController();
    const appending = (async () => {
      for (let n = 0; !busy.signal.aborted; n += 50) await append(system, n, 50);
    })();
    try {
      for (const name of ['one', 'two', 'three']) {
        const manifest = await backUp(system, { folder: at(name), signal: new AbortController().signal });
        const there = newMachine(`machine-${name}`);
        const restored = await answerTo<Manifest>(['restore', at(name)], there);
        expect(restored.log).toEqual(manifest.log);
      }
    } finally {
      busy.abort();
      await appending;
      await system.close();
    }
  });

  it('leaves nothing when it is interrupted', async () => {
    const system = await open();
    await append(system, 0, 2_000);
    const stop = new AbortController();
    await expect(
      backUp(system, { folder: at('backup'), signal: stop.signal, onProgress: () => stop.abort() }),
    ).rejects.toThrow();
    await system.close();
    expect(readdirSync(folder.path)).toEqual(['data']);
    // What a kill leaves has no manifest, is no backup, and does not hinder the next one.
    mkdirSync(at('backup.partial'));
    writeFileSync(at('backup.partial/events.db'), 'half');
    expect((await run(['restore', at('backup.partial'), '--replace'])).stderr).toMatch(/is no whole backup/);
    await takeBackup();
    expect(existsSync(at('backup.partial'))).toBe(false);
  });

  it.skipIf(withoutSmallDisk)('leaves nothing on a full disk, and says what it lacks', async () => {
    const disk = smallDisk('256k');
    try {
      const system = await open();
      await append(system, 0, 2_000);
      await system.close();
      const { code, stderr } = await run(['backup', join(disk.path, 'backup'), '--json']);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/no room left on the device/) as string,
      });
      expect(readdirSync(disk.path)).toEqual([]);
    } finally {
      disk.remove();
    }
  });

  it('never writes over a folder that exists', async () => {
    mkdirSync(at('backup'));
    const { code, stderr } = await run(['backup', at('backup')]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/exists already\. Name a folder that does not exist yet\.$/m) as string,
    });
  });

  it('is refused while another one is taken', async () => {
    const system = await open();
    const lease = await system.leases.tryAcquire('backup');
    expect((await run(['backup', at('backup')])).stderr).toMatch(/is being taken already/);
    await lease?.release();
    await system.close();
  });

  it('is taken every day, kept for so many days, and missed when it is late', async () => {
    const system = await open();
    const installation = (await system.installation.id()) ?? '';
    const { signal } = new AbortController();
    const day =
      (n: number, hour = 0) =>
      () =>
        new Date(Date.UTC(2026, 0, 1 + n, hour));
    const names = () => readdirSync(at('backups')).sort();
    try {
      const look = (now: () => Date) =>
        backUpWhenDue(system, now(), async () => {
          await backUp(system, { folder: join(at('backups'), backupNameAt(now())), signal, now });
          pruneBackups(at('backups'), { installation, keepDays: 2, now: now() });
        });
      await look(day(0));
      await look(day(0, 23));
      expect(names()).toEqual(['commonweal-2026-01-01T000000Z']);
      for (const n of [1, 2, 3]) await look(day(n));
      expect(names()).toEqual([
        'commonweal-2026-01-02T000000Z',
        'commonweal-2026-01-03T000000Z',
        'commonweal-2026-01-04T000000Z',
      ]);
      const record = await backupRecord(system.side).newest();
      expect(lateBackup(record, day(4, 5)())).toBeUndefined();
      expect(lateBackup(record, day(4, 7)())).toMatch(/^The newest backup is of 2026-01-04/);
    } finally {
      await system.close();
    }
    // Today all of them are too old: the newest stays.
    const pruned = await answerTo<{ removed: string[]; overdue: string }>([
      ...['backup', 'prune', '--in', at('backups'), '--keep-days', '1'],
    ]);
    expect(pruned).toMatchObject({
      removed: expect.objectContaining({ length: 2 }) as unknown,
      overdue: at('backups/commonweal-2026-01-04T000000Z'),
    });
    expect(names()).toEqual(['commonweal-2026-01-04T000000Z']);
  });
});

describe.skipIf(!isEmbedded)('a restore is refused', () => {
  const refused = async (words: readonly string[], dataDir: string, why: RegExp, settings = {}) => {
    const before = existsSync(dataDir) ? readdirSync(dataDir).sort() : [];
    const { code, stderr } = await run([...words, '--json'], dataDir, settings);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(why) as string });
    expect(stderr).not.toMatch(/\n\s+at /);
    if (existsSync(dataDir)) expect(readdirSync(dataDir).sort()).toEqual(before);
  };

  it('over stores that are there, unless it may replace them', async () => {
    const manifest = await takeBackup();
    await answerTo(['teams', 'create', 'later', '--name', 'Later']);
    await refused(['restore', at('backup')], data, /holds events\.db, .*Add --replace/);
    await answerTo(['restore', at('backup'), '--replace']);
    expect((await takeBackup('after')).log).toEqual(manifest.log);
  });

  it('while something runs on the data folder', async () => {
    await takeBackup();
    const system = await open();
    await system.store.head();
    await refused(['restore', at('backup'), '--replace'], data, /is running on .*stop it first/);
    await system.close();
  });

  it('without the master key, or with another', async () => {
    await takeBackup();
    rmSync(join(newMachine(), 'master.key'));
    await refused(['restore', at('backup')], at('new'), /Set MASTER_KEY, or put master\.key into/);
    await refused(['restore', at('backup')], at('new'), /sealed under another master key/, {
      MASTER_KEY: randomBytes(32).toString('base64'),
    });
  });

  it('with a truncated, changed or missing file, or manifest', async () => {
    await takeBackup();
    const there = newMachine();
    const broken = (name: string, how: (path: string) => void) => {
      const copy = at(`broken-${readdirSync(folder.path).length}`);
      cpSync(at('backup'), copy, { recursive: true });
      how(join(copy, name));
      return ['restore', copy];
    };
    const flip = (path: string) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    };
    await refused(
      broken('events.db', (path) => truncateSync(path, 8_192)),
      there,
      /has 8192 bytes.*truncated/,
    );
    await refused(broken('vault.db', flip), there, /its SHA-256 differs/);
    await refused(broken('vault.db', rmSync), there, /is missing: the backup is not whole/);
    await refused(
      broken('manifest.json', (path) => truncateSync(path, 100)),
      there,
      /damaged or truncated/,
    );
    await refused(broken('manifest.json', rmSync), there, /is no whole backup/);
    await refused(
      broken('manifest.json', (path) => writeFileSync(path, '{"commonweal_backup":1}')),
      there,
      /is no manifest of a backup/,
    );
    await refused(
      broken('manifest.json', (path) => writeFileSync(path, '{"commonweal_backup":2,"release":"9.0.0"}')),
      there,
      /newer release \(9\.0\.0\)/,
    );
  });

  it('of another installation than the one that is there', async () => {
    await takeBackup();
    const other = newMachine('other');
    await answerTo(['teams', 'create', 'bay', '--name', 'Bay'], other);
    await refused(['restore', at('backup'), '--replace'], other, /is of another installation/);
  });

  it('with a log or vault of another backup, though the manifest was made to fit the files', async () => {
    await takeBackup();
    const there = newMachine();
    const other = newMachine('other');
    await answerTo(['teams', 'create', 'bay', '--name', 'Bay'], other);
    await answerTo(['backup', at('others')], other);
    for (const [name, why] of [
      ['events.db', /The log in .* is of another installation/],
      ['vault.db', /is missing, or is not the vault of this log/],
    ] as const) {
      const mixed = at(`mixed-${name}`);
      cpSync(at('backup'), mixed, { recursive: true });
      copyFileSync(join(at('others'), name), join(mixed, name));
      await resealManifest(mixed);
      await refused(['restore', mixed], there, why);
    }
    await answerTo(['teams', 'create', 'later', '--name', 'Later']);
    await takeBackup('later');
    copyFileSync(at('later/events.db'), at('backup/events.db'));
    await resealManifest(at('backup'));
    await refused(['restore', at('backup')], there, /is not the one that was backed up: .* with digest/);
  });

  it('with an event that is not the one that was signed, and names it as verify does', async () => {
    const system = await open();
    const key = await ensureLogKey(system.vault, 'example.org/audit/log');
    await signLog(system, key);
    await system.close();
    const manifest = await takeBackup();
    expect(manifest.proof_log?.tree_size).toBe(manifest.log.events);
    await answerTo(['restore', at('backup')], newMachine('before'));

    const db = new DatabaseSync(join(at('backup'), 'events.db'));
    db.exec('DROP TRIGGER events_are_never_changed');
    db.exec("UPDATE events SET data = replace(data, 'Harbor', 'Harbour') WHERE type = 'TeamCreated'");
    db.close();
    const looked = newMachine('looked');
    for (const name of ['events.db', 'vault.db']) copyFileSync(join(at('backup'), name), join(looked, name));
    const changed = await open(looked);
    const { events, digest } = await readLogFacts(changed.store, { signal: new AbortController().signal });
    await changed.close();
    const log = { ...manifest.log, events, digest };
    await resealManifest(at('backup'), (each) => ({ ...each, log }));
    await refused(
      ['restore', at('backup')],
      newMachine('after'),
      /is not as it was signed\. Leaf \d+ was changed: TeamCreated \S+ \(team-harbor@0\)\./,
    );
  });

  it('of a newer release: its files, or its events', async () => {
    const { log } = await takeBackup();
    const there = newMachine();
    cpSync(at('backup'), at('newer'), { recursive: true });
    const db = new DatabaseSync(at('newer/vault.db'));
    db.exec('PRAGMA user_version = 9');
    db.close();
    await resealManifest(at('newer'));
    await refused(
      ['restore', at('newer')],
      there,
      /written by a newer release \(format 9; this one reads 1\)/,
    );

    const system = await open();
    await system.store.append(
      'team-harbor',
      [{ id: crypto.randomUUID(), type: 'TeamPainted', data: {}, metadata: { commonweal_schema: 1 } }],
      'any',
    );
    await system.close();
    const manifest = await takeBackup('painted');
    // That event, and the one of the first backup.
    expect(manifest.log.events).toBe(log.events + 2);
    await refused(['restore', at('painted')], there, /has events TeamPainted .*does not know/);
  });
});

describe.skipIf(!isEmbedded)('a person who was erased', () => {
  const holder = 'person/2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
  const hasKey = async (dataDir: string) => {
    const system = await open(dataDir);
    try {
      return (await system.vault.get(holder)) !== undefined;
    } finally {
      await system.close();
    }
  };

  it('comes back by no backup: not from before the erasure, nor where the ledger was lost too', async () => {
    const system = await open();
    await system.vault.put(holder, randomBytes(32));
    await backUp(system, { folder: at('before'), signal: new AbortController().signal });
    await system.personal.erase(holder);
    await backUp(system, { folder: at('later'), signal: new AbortController().signal });
    await system.close();
    await answerTo(['restore', at('before'), '--replace']);
    expect(await hasKey(data)).toBe(false);

    const there = newMachine('new', { ledger: false });
    await answerTo(['restore', at('later'), '--accept-resurrection'], there);
    await answerTo(['restore', at('before'), '--replace'], there);
    expect(await hasKey(there)).toBe(false);
    // The copy that was taken before has it, which is why backups expire.
    const third = newMachine('third', { ledger: false });
    await answerTo(['restore', at('before'), '--accept-resurrection'], third);
    expect(await hasKey(third)).toBe(true);
  });
});

describe.skipIf(!isEmbedded)('the proof log after a restore', () => {
  const name = 'directory.example.org/audit/log';
  interface Restored {
    readonly proof_log: { readonly continues: boolean; readonly name?: string };
  }
  interface LogStatus {
    readonly name: string;
    readonly checkpoint: { readonly size: number };
    readonly former: readonly { readonly log: string; readonly tree_size: number }[];
  }

  /** Signs everything, as a server does. Returns how much that is. */
  async function sign(): Promise<number> {
    const system = await open();
    const size = await signLog(system, await ensureLogKey(system.vault, name));
    await sealNewest(system);
    await system.close();
    return size;
  }
  const restore = async (backup: string, ...words: readonly string[]) =>
    (await answerTo<Restored>(['restore', at(backup), '--replace', ...words])).proof_log;
  const status = () => answerTo<LogStatus>(['audit', 'log', 'status']);

  it('goes on where the folder that is replaced ends as the backup does, and else is another one', async () => {
    await sign();
    await takeBackup();
    expect(await restore('backup')).toMatchObject({ continues: true, name });
    expect((await status()).former).toEqual([]);

    await answerTo(['teams', 'create', 'later', '--name', 'Later']);
    const later = await sign();
    const restored = await restore('backup');
    expect(restored.continues).toBe(false);
    expect(restored.name?.startsWith(`${name}/`)).toBe(true);
    const { former, checkpoint } = await status();
    expect(former).toMatchObject([{ log: name, tree_size: later }]);
    expect(checkpoint.size).toBeLessThan(later);
    expect(await answerTo(['verify'])).toMatchObject({ verified: true });
    // What had been signed after the backup is taken along.
    const system = await open();
    expect((await system.proofLog.log(0).newest())?.size).toBe(later);
    await system.close();
  });

  it('is another one though the proof log in the folder was cut back to the backup: the vault knows more', async () => {
    await sign();
    await takeBackup();
    await answerTo(['teams', 'create', 'later', '--name', 'Later']);
    const later = await sign();
    for (const file of ['log.db', 'log.db-wal', 'log.db-shm']) rmSync(join(data, file), { force: true });
    copyFileSync(at('backup/log.db'), join(data, 'log.db'));
    expect(await restore('backup')).toMatchObject({ continues: false });
    expect((await status()).former).toMatchObject([{ log: name, tree_size: later }]);
  });

  it('is another one though the backup is from before anything was signed', async () => {
    await takeBackup();
    expect(await restore('backup')).toEqual({ continues: true });
    const size = await sign();
    const restored = await restore('backup');
    expect(restored).toMatchObject({ continues: false });
    const { former, name: now } = await status();
    expect(former).toMatchObject([{ log: name, tree_size: size }]);
    expect(now).toBe(restored.name);
    const there = newMachine();
    const { proof_log: alone } = await answerTo<Restored>(['restore', at('backup')], there);
    expect(alone.continues).toBe(false);
    expect(alone.name).toMatch(/\/audit\/log\/\d{8}-[0-9a-f]{8}$/);
  });
});

describe.skipIf(!isEmbedded)('an interrupted restore', () => {
  it('lets nothing else open the data folder until it is repeated', async () => {
    const manifest = await takeBackup();
    // As a kill leaves it in the middle: the log is replaced, the vault is not there yet.
    const there = newMachine();
    mkdirSync(join(there, 'restoring'));
    copyFileSync(at('backup/vault.db'), join(there, 'restoring/vault.db'));
    copyFileSync(at('backup/events.db'), join(there, 'events.db'));
    const { code, stderr } = await run(['teams', 'create', 'bay', '--name', 'Bay'], there);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/was interrupted.*restore` again/) as string,
    });
    // A backup that does not fit leaves the mark.
    expect((await run(['restore', at('nowhere')], there)).code).toBe(1);
    expect((await run(['teams', 'list'], there)).stderr).toMatch(/was interrupted/);
    const restored = await answerTo<Manifest>(['restore', at('backup')], there);
    expect(restored.log).toEqual(manifest.log);
    expect(existsSync(join(there, 'restoring'))).toBe(false);
    await answerTo(['teams', 'create', 'bay', '--name', 'Bay'], there);
  });
});

async function append(system: System, from: number, events: number): Promise<void> {
  await Promise.all(
    Array.from({ length: events }, (_, n) =>
      system.store.append(
        `projection-filler-${from + n}`,
        [
          {
            id: crypto.randomUUID(),
            type: 'RebuildStarted',
            data: { projection: 'x'.repeat(200) },
            metadata: { commonweal_schema: 1 },
          },
        ],
        'any',
      ),
    ),
  );
}
