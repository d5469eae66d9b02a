import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/backup/manifest.ts';
import { tokenKeyLifeSeconds } from '../../src/commands/oauth/token-keys.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { runCommandLine } from '../support/command-line.ts';
import { dropDatabase, engineSettings, isEmbedded, missing } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const administrator = 'ada@example.org';
const folder = temporaryFolder();
const [data, place] = [join(folder.path, 'data'), join(folder.path, 'new')];
const backup = join(folder.path, 'backup');
// Kept in another place than the data, so that a restore asks nothing.
const settings = { ERASURE_LEDGER: join(folder.path, 'erasures.log') };

interface Shown {
  readonly type: string;
  readonly sentence: string;
  readonly data: Record<string, unknown>;
  readonly actor: Record<string, unknown>;
}

async function run<Answer>(dataDir: string, ...words: readonly string[]): Promise<Answer> {
  const { code, stdout, stderr } = await runCommandLine([...words, '--json'], dataDir, settings);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout) as Answer;
}
const found = async (dataDir: string, type: string) =>
  (await run<{ data: Shown[] }>(dataDir, 'audit', 'events', '--type', type)).data;

async function opened<Result>(dataDir: string, work: (system: System) => Promise<Result>): Promise<Result> {
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir), ...settings }));
  try {
    return await work(system);
  } finally {
    await system.close();
  }
}

describe.skipIf(missing ?? !isEmbedded)('a backup, a restore and a rotation', { timeout: 120_000 }, () => {
  let manifest: Manifest;

  beforeAll(async () => {
    await runCommand(data, 'teams', 'create', 'harbour', '--name', 'Harbour Network');
    await runCommand(data, 'administrators', 'add', '--email', administrator, '--name', 'Ada Lovelace');
    // The server signs the proof log when it stops.
    await (await startServing(data, settings)).stop();
    manifest = await run<Manifest>(data, 'backup', backup, '--as', administrator);
    mkdirSync(place);
    copyFileSync(join(data, 'master.key'), join(place, 'master.key'));
  }, 120_000);
  afterAll(async () => {
    await dropDatabase(data);
    folder.remove();
  });

  it('that is taken is an event after those that it has', async () => {
    const taken = { taken_at: manifest.taken_at, events: manifest.log.events, digest: manifest.log.digest };
    expect(await found(data, 'BackupTaken')).toMatchObject([
      {
        data: taken,
        actor: { kind: 'system', id: 'cli', on_behalf_of: expect.any(String) as string },
        sentence: `An operator, who claims to be Ada Lovelace, took a backup of ${manifest.log.events} events.`,
      },
    ]);
    // Where it is says who keeps it.
    const { stdout } = await runCommandLine(['events', '--json'], data);
    expect(stdout).not.toContain(folder.path);
  });

  it('restores the bytes of the backup; the first start names it, once, and a new proof log begins', async () => {
    await run(place, 'restore', backup, '--as', administrator);
    const marks = await opened(place, async ({ store, vault }) => {
      let events = 0;
      for (let position = 0n; ;) {
        const page = await store.readAll({ after: position, limit: 500 });
        events += page.events.length;
        if (page.position === position) break;
        position = page.position;
      }
      expect(events).toBe(manifest.log.events);
      const names = await vault.names('restored/');
      return Promise.all(names.map(async (name) => [name, await vault.get(name)] as const));
    });
    expect(marks).toHaveLength(1);

    let serving = await startServing(place, settings);
    const restored = await found(place, 'BackupRestored');
    expect(restored).toMatchObject([
      {
        data: { taken_at: manifest.taken_at, events: manifest.log.events, digest: manifest.log.digest },
        sentence: `An operator, who claims to be Ada Lovelace, restored the backup of ${manifest.taken_at}, with ${manifest.log.events} events.`,
      },
    ]);
    await serving.stop();
    const { checkpoint } = await run<{ checkpoint: { size: number } }>(place, 'audit', 'log', 'status');
    expect(checkpoint.size).toBeGreaterThan(manifest.log.events);
    const verified = await runCommandLine(['verify', '--json'], place, settings);
    expect(verified.code, verified.stdout).toBe(0);
    const examined = await runCommandLine(['doctor', '--full', '--json'], place, settings);
    // Readers of the former log are to be told: nothing shows that it signed no more than the backup has.
    const { findings } = JSON.parse(examined.stdout) as {
      findings: readonly { severity: string; name: string }[];
    };
    const problems = findings.filter(({ severity }) => severity === 'problem');
    expect(problems.map(({ name }) => name)).toEqual(['log-begun-anew']);
    expect(examined.code).toBe(1);

    // As a start leaves it that is killed after it has appended: the next one does not append again.
    await opened(place, async ({ vault }) => {
      expect(await vault.names('restored/')).toEqual([]);
      for (const [name, mark] of marks) await vault.put(name, mark ?? Buffer.of());
    });
    serving = await startServing(place, settings);
    await serving.stop();
    expect(await found(place, 'BackupRestored')).toHaveLength(1);
    expect(await opened(place, ({ vault }) => vault.names('restored/'))).toEqual([]);
  });

  it('of the master key are events, once for each key', async () => {
    // Without a mail that waits, for which a rotation waits.
    const data = join(folder.path, 'keys');
    await run(data, 'teams', 'create', 'harbour', '--name', 'Harbour Network');
    const types = async () => [
      (await found(data, 'MasterKeyRotated')).length,
      (await found(data, 'MasterKeyRotationEnded')).length,
    ];
    await run(data, 'rotate', 'master-key');
    await run(data, 'rotate', 'master-key');
    expect(await types()).toEqual([1, 0]);
    expect(await found(data, 'MasterKeyRotated')).toMatchObject([
      { sentence: 'An operator sealed the vault under a new master key.' },
    ]);
    await run(data, 'rotate', 'master-key', '--finish');
    await run(data, 'rotate', 'master-key', '--finish');
    expect(await types()).toEqual([1, 1]);
    await run(data, 'rotate', 'master-key');
    expect(await types()).toEqual([2, 1]);
  });

  it('of the key of tokens, which nobody asks for, is an event too', async () => {
    await opened(data, async ({ vault, tokenKeys }) => {
      const old = Math.floor(Date.now() / 1_000) - tokenKeyLifeSeconds;
      await vault.put(`token-key/${old.toString(16)}`, randomBytes(32));
      await tokenKeys.current();
      await until(async () => (await found(data, 'TokenKeyReplaced')).length > 0);
    });
    expect(await found(data, 'TokenKeyReplaced')).toMatchObject([
      { sentence: 'The service replaced the key that authenticates tokens.' },
    ]);
  });
});
