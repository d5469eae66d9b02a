import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { filesOf } from '../../src/stores/file-formats.ts';
import { markFormat, storedFormat } from '../../src/stores/format.ts';
import { runCommandLine, runProcess } from '../support/command-line.ts';
import { dropDatabase, engineSettings, isEmbedded, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Commands of every kind: they read, append, look through files, copy, and build read models. */
const commandLines = [
  ['status'],
  ['teams', 'create', 'orchard', '--name', 'Orchard'],
  ['teams', 'list'],
  ['verify'],
  ['audit', 'log', 'status'],
  ['rebuild', 'teams'],
  ['keys', 'list'],
  ['backup', join(folder.path, 'backup')],
  ['transfer', '--to', 'esdb://127.0.0.1:1?tls=false'],
];

/** Every file of a folder by its name, with a digest of what it holds and when it was written. */
const stateOf = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .sort()
    .map((path) =>
      statSync(path).isDirectory()
        ? path
        : `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')} ${statSync(path).mtimeMs}`,
    );

const everything = { log: true, besideLog: true };

describe.skipIf(!isEmbedded)('a data folder of which a newer release wrote one file', () => {
  const original = join(folder.path, 'original');
  beforeAll(async () => {
    const serving = await startServing(original);
    await runCommand(original, 'teams', 'create', 'harbour', '--name', 'Harbour');
    await until(() => filesOf(everything).every(({ name }) => existsSync(join(original, name))));
    expect(await serving.stop()).toBe(0);
  });

  it.each(filesOf(everything))(
    'is refused by the server and by each command, and is left as it was: $name',
    async ({ name, format }) => {
      const dataDir = join(folder.path, name);
      cpSync(original, dataDir, { recursive: true });
      const db = new DatabaseSync(join(dataDir, name));
      db.exec(`PRAGMA user_version = ${String(format + 1)}`);
      db.close();
      const before = stateOf(dataDir);
      const sentence = `${join(dataDir, name)} was written by a newer version of Commonweal (format ${String(format + 1)}; this one writes ${String(format)}). Nothing was started and nothing was changed. Start the newer version, restore a backup of this one, or set DATA_DIR to another folder.\n`;

      for (const words of commandLines) {
        const { code, stdout, stderr } = await runCommandLine(words, dataDir);
        expect({ words, code, stdout, stderr }).toEqual({ words, code: 1, stdout: '', stderr: sentence });
      }
      const served = await runProcess(['serve'], dataDir);
      expect(served).toMatchObject({ code: 1, stdout: '', stderr: sentence });
      expect(stateOf(dataDir)).toEqual(before);
    },
  );

  it('is named by the doctor, which opens no store of it', async () => {
    const dataDir = join(folder.path, 'examined');
    cpSync(original, dataDir, { recursive: true });
    const db = new DatabaseSync(join(dataDir, 'views.db'));
    db.exec('PRAGMA user_version = 7');
    db.close();
    const { code, stdout } = await runCommandLine(['doctor'], dataDir);
    expect(code).toBe(1);
    expect(stdout).toContain('views.db was written by a newer release (format 7; this one reads 1)');
  });

  it('is found where the version is in the write-ahead log alone, as after a kill', async () => {
    const dataDir = join(folder.path, 'killed');
    cpSync(original, dataDir, { recursive: true });
    const path = join(dataDir, 'side.db');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 50');
    const killed = join(folder.path, 'killed-copy');
    cpSync(dataDir, killed, { recursive: true });
    db.close();
    expect((await runCommandLine(['status'], killed)).stderr).toContain('side.db was written by a newer');
  });
});

describe.skipIf(missing)(onEngines('stores that a newer release marked with a newer format'), () => {
  const dataDir = join(folder.path, 'marked');
  afterAll(() => dropDatabase(dataDir));

  it('are refused by the server and by commands, and nothing is appended', async () => {
    expect((await runProcess(['teams', 'create', 'harbour', '--name', 'Harbour'], dataDir)).code).toBe(0);
    const config = readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir) });
    const system = await openSystem(config);
    const table = system.side.table<object>('stored-format');
    expect(await table.get('format')).toMatchObject({ format: storedFormat });
    await table.put('format', { format: storedFormat + 1, release: '9.8.7' });
    const before = await system.store.head();
    await system.close();

    const sentence = `Release 9.8.7 of Commonweal wrote these stores in format ${String(storedFormat + 1)}, and this release reads ${String(storedFormat)}. Nothing was started and nothing was changed. Start that release or a newer one, or restore a backup of this one.`;
    for (const words of [
      ['serve'],
      ['status'],
      ['teams', 'create', 'orchard', '--name', 'Orchard'],
      ['verify'],
    ]) {
      const { code, stderr } = await runProcess(words, dataDir);
      expect({ words, code, stderr: stderr.trim() }).toEqual({ words, code: 1, stderr: sentence });
    }
    const examined = await runProcess(['doctor'], dataDir);
    expect(examined.code).toBe(1);
    expect(examined.stdout).toContain(sentence);
    const after = await openSystem(config);
    expect(await after.store.head()).toEqual(before);
    // An older release does not take the mark away.
    await markFormat(after.side, '1.0.0');
    expect(await after.side.table<object>('stored-format').get('format')).toMatchObject({ release: '9.8.7' });
    await after.close();
  });
});
