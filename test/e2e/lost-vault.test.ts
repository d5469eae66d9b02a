import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginning } from '../../src/stores/event-store/port.ts';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { lostVaultGuide } from '../../src/runtime/check-stores.ts';
import { runCommandLine, runProcess } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';

const { MONGODB_URL } = process.env;
const timeout = 120_000;

/** A start in a process of its own, and everything else in this one. */
const run = (dataDir: string, words: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  words[0] === 'serve' ? runProcess(words, dataDir, settings) : runCommandLine(words, dataDir, settings);

/** Starts a server and stops it again; answers the keys that it showed. */
async function serveOnce(dataDir: string, settings: Record<string, string> = {}): Promise<string[]> {
  const serving = await startServing(dataDir, settings);
  try {
    const { keys } = (await (await fetch(`${serving.origin}/oauth/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    return keys.map(({ kid }) => kid);
  } finally {
    expect(await serving.stop()).toBe(0);
  }
}

/** Every event of a folder's log, as it is stored. */
async function logOf(dataDir: string) {
  const log = new EmbeddedEventStore({ directory: dataDir });
  const { events } = await log.readAll({ after: beginning, limit: 100_000 });
  await log.close();
  return events;
}

describe.skipIf(!isEmbedded)('a vault that is missing', { timeout }, () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const vault = join(dataDir, 'vault.db');
  const kept = join(folder.path, 'vault.db');
  let keys: string[];

  beforeAll(async () => {
    keys = await serveOnce(dataDir);
    copyFileSync(vault, kept);
    rmSync(vault);
  }, timeout);
  afterAll(() => folder.remove());

  it('refuses the start, and every command that works on the stores, in words that say what to do', async () => {
    const before = await logOf(dataDir);
    for (const words of [['serve'], ['teams', 'list'], ['keys', 'rotate-signing']]) {
      const { code, stderr } = await run(dataDir, words);
      expect(code, words.join(' ')).toBe(1);
      expect(stderr).toContain(
        `The vault (${vault}) is missing or empty, but the log (${dataDir}) had secrets in it.`,
      );
      expect(stderr).toContain(`If there is none: ${lostVaultGuide}.`);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(await logOf(dataDir)).toEqual(before);
  });

  it('is not what a wrong master key is told as', async () => {
    copyFileSync(kept, vault);
    const { code, stderr } = await run(dataDir, ['serve'], {
      MASTER_KEY: randomBytes(32).toString('base64'),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot be opened: MASTER_KEY is not the one it was sealed with/);
  });

  it('is not replaced while it is there, nor without a word of consent', async () => {
    const refused = await run(dataDir, ['vault', 'replace', '--accept-loss']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('The vault is the one that belongs to this log: nothing is lost.');
    expect((await run(dataDir, ['vault', 'replace'])).code).toBe(2);
  });

  it('starts again with all that it had when it is put back', async () => {
    expect(await serveOnce(dataDir)).toEqual(keys);
  });

  it('is begun anew where the owner accepts its loss: new keys, a new link, and the log says so', async () => {
    rmSync(vault);
    expect((await run(dataDir, ['vault', 'replace'])).code).toBe(2);
    const replaced = await run(dataDir, ['vault', 'replace', '--accept-loss', '--json']);
    expect(replaced).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(replaced.stdout)).toEqual({ retired_keys: keys });
    const [now, ...more] = await serveOnce(dataDir);
    expect(more).toEqual([]);
    expect(keys).not.toContain(now);
    expect(existsSync(join(dataDir, 'setup-link'))).toBe(true);
    const types = (await logOf(dataDir)).map(({ type }) => type);
    expect(types.filter((type) => type === 'VaultReplaced')).toHaveLength(1);
    expect(types.filter((type) => type === 'InstallationNamed')).toHaveLength(1);
    expect(await serveOnce(dataDir)).toEqual([now]);
  });

  it('is no matter where a development version from before 1.0.0 began the log, which is refused by name', async () => {
    const old = join(folder.path, 'old');
    mkdirSync(old);
    for (const name of ['master.key', 'vault.db']) copyFileSync(join(dataDir, name), join(old, name));
    const log = new EmbeddedEventStore({ directory: old });
    for (const { stream, id, type, data, metadata } of await logOf(dataDir)) {
      if (stream.startsWith('installation-')) continue;
      const { installation: _, ...former } = metadata;
      await log.append(stream, [{ id, type, data, metadata: former }], 'any');
    }
    await log.close();
    for (const words of [['serve'], ['teams', 'create', 'harbour', '--name', 'Harbour']]) {
      const { code, stderr } = await run(old, words);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('was begun by a development version from before 1.0.0') as string,
      });
    }
    expect((await logOf(old)).filter(({ type }) => type === 'InstallationNamed')).toEqual([]);
  });
});

describe.skipIf(MONGODB_URL === undefined)(
  `an emptied vault in MongoDB${MONGODB_URL === undefined ? ' (skipped: MONGODB_URL is not set)' : ''}`,
  { timeout },
  () => {
    it('refuses the start, and the start works again when it is put back', async () => {
      const folder = temporaryFolder();
      const url = new URL(MONGODB_URL ?? '');
      url.pathname = `/t${randomBytes(8).toString('hex')}`;
      const settings = {
        EVENTSTORE_URL: '',
        EVENTSTORE_NAMESPACE: '',
        MONGODB_URL: url.href,
        MASTER_KEY: randomBytes(32).toString('base64'),
      };
      const client = new MongoClient(url.href);
      try {
        const keys = await serveOnce(folder.path, settings);
        const vault = client.db().collection('vault');
        const secrets = await vault.find().toArray();
        await vault.deleteMany({});
        const { code, stderr } = await run(folder.path, ['serve'], settings);
        expect(code).toBe(1);
        expect(stderr).toMatch(/^The vault \(in MongoDB .*\) is missing or empty, but the log/);
        await vault.insertMany(secrets);
        expect(await serveOnce(folder.path, settings)).toEqual(keys);
      } finally {
        await client.db().dropDatabase();
        await client.close();
        folder.remove();
      }
    });
  },
);

it('the section that a refusal cites is there', () => {
  const [, file = '', heading = ''] = /^(\S+), "(.+)"$/.exec(lostVaultGuide) ?? [];
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  expect(text.split('\n').filter((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`))).toHaveLength(
    1,
  );
});
