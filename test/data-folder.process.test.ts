import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exposedIn, prepareDataFolder } from '../src/data-folder.ts';
import { start } from './faults/processes.ts';
import { isEmbedded } from './support/engine.ts';
import { temporaryFolder } from './support/folder.ts';
import { until } from './support/until.ts';

function aFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function serving(dataDir: string, settings: Readonly<Record<string, string>> = {}) {
  const running = start('src/main.js', ['serve', '--json'], dataDir, settings);
  onTestFinished(async () => {
    await running.kill();
  });
  const line = await until(() => running.written().includes('\n') && running.written().split('\n')[0]);
  const { listening } = JSON.parse(line) as { listening: string };
  await until(async () => (await fetch(`${listening}/readyz`)).ok);
  return running;
}

const everythingIn = (directory: string): string[] => [
  directory,
  ...readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name)),
];
const openToOthers = (directory: string): string[] =>
  everythingIn(directory).filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );

describe.skipIf(!isEmbedded)('the data folder of a server', () => {
  test('is closed to other users: when it is made, and when an earlier one left it open', async () => {
    const dataDir = join(aFolder(), 'data');
    const first = await serving(dataDir);
    expect(openToOthers(dataDir)).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['vault.db-wal', 'setup-link', 'leases']));
    await first.stop();

    for (const path of everythingIn(dataDir)) chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
    writeFileSync(join(dataDir, 'vault.db.backup'), '', { mode: 0o644 });
    const second = await serving(dataDir);
    expect(openToOthers(dataDir)).toEqual([]);
    expect(await second.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test('holds no write-ahead log after a clean stop, of a server or of a command', async () => {
    const dataDir = join(aFolder(), 'data');
    const logs = () => readdirSync(dataDir).filter((name) => /-(wal|shm)$/.test(name));
    const running = await serving(dataDir);
    expect(logs()).not.toEqual([]);
    await running.stop();
    expect(logs()).toEqual([]);
    for (const words of [
      ['teams', 'create', 'harbour', '--name', 'Harbour'],
      ['teams', 'list'],
      ['status'],
    ]) {
      expect(await start('src/main.js', words, dataDir).ended).toMatchObject({ code: 0 });
      expect(logs()).toEqual([]);
    }
  });
});

test('a folder that holds other things is left as it is, and said to be open; our files in it are closed', () => {
  const shared = join(aFolder(), 'shared');
  mkdirSync(shared, { mode: 0o755 });
  for (const name of ['vault.db', 'vault.db-wal', 'events.db', 'letter.txt'])
    writeFileSync(join(shared, name), '', { mode: 0o644 });
  prepareDataFolder(shared);
  expect(openToOthers(shared)).toEqual([shared, join(shared, 'letter.txt')]);
  expect(exposedIn(shared)).toEqual([shared]);
});

test.skipIf(!isEmbedded || !existsSync('/proc/self/fd'))(
  'the master key is on the device before it is used',
  async () => {
    const folder = aFolder();
    const dataDir = join(folder, 'data');
    const notes = join(folder, 'notes');
    const fixture = new URL('./fixtures/notes-syncs.ts', import.meta.url).href;
    const running = await serving(dataDir, { NODE_OPTIONS: `--import=${fixture}`, NOTES: notes });
    await running.stop();
    expect(readFileSync(notes, 'utf8').split('\n')).toEqual([
      expect.stringMatching(/\/data\/master\.key\.[0-9a-f]{12}$/),
      dataDir,
      '',
    ]);
  },
);
