import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { start } from '../faults/processes.ts';
import { runCommandLine } from '../support/command-line.ts';
import { dropDatabase, engineSettings, isEmbedded, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const email = 'ada@example.org';
const password = 'seven quiet herons wading';
const administrator = { ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
const secrets = 5_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(async () => {
  await dropDatabase(folder.path);
  folder.remove();
});

const open = (settings: Record<string, string> = {}) =>
  openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path), ...settings }));

async function withSystem<Result>(work: (system: System) => Promise<Result>, settings = {}): Promise<Result> {
  const system = await open(settings);
  try {
    return await work(system);
  } finally {
    await system.close();
  }
}

/** Enough secrets that sealing them anew can be interrupted. */
const manySecrets = (system: System) =>
  system.vault.putAllIfAbsent(
    new Map(Array.from({ length: secrets }, (_, n) => [`test/${n}`, randomBytes(32)] as const)),
  );

/**
 * Signs in again and again, in new browsers, until it is stopped. Each sign-in reads and writes secrets. At most once a
 * second: an account may be signed in to 120 times in an hour.
 */
function signIns(origins: () => readonly string[]) {
  const stop = new AbortController();
  const wrong: string[] = [];
  let count = 0;
  let next = Promise.resolve();
  const running = (async () => {
    while (!stop.signal.aborted) {
      await next;
      next = pause(1_000);
      const here = origins();
      const browser = await new PlainBrowser(here[count % here.length] ?? '').open('/dash/sign-in');
      await browser.press('Sign in', { email, password });
      if (browser.heading !== 'Home') wrong.push(browser.text);
      count += 1;
    }
  })();
  return {
    count: () => count,
    async stop() {
      stop.abort();
      await running;
      return wrong;
    },
  };
}

describe.skipIf(!isEmbedded)('the master key of a data folder', () => {
  it('is rotated under a running server, through kills, and the old one opens nothing any more', async () => {
    const serving = await startServing(folder.path, administrator);
    await withSystem(manySecrets);
    const keyFile = join(folder.path, 'master.key');
    const old = readFileSync(keyFile, 'utf8');
    const page = await new PlainBrowser(serving.origin).open('/dash/sign-in');
    const load = signIns(() => [serving.origin]);

    for (let kill = 0; kill < 2; kill++) {
      const before = load.count();
      const rotating = start('src/main.js', ['rotate', 'master-key', '--json'], folder.path);
      if (kill === 0) await until(() => existsSync(`${keyFile}.previous`));
      await until(() => load.count() > before);
      await rotating.kill();
    }
    const rotated = await runCommandLine(['rotate', 'master-key', '--json'], folder.path);
    expect({ code: rotated.code, stderr: rotated.stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(`${keyFile}.previous`, 'utf8')).toBe(old);
    const mine = readFileSync(keyFile, 'utf8');
    expect(mine).not.toBe(old);
    // What was made under the old key by this server is still taken, and a command's mail is opened by it.
    await page.press('Sign in', { email, password });
    expect(page.heading).toBe('Home');
    const finished = await runCommandLine(['rotate', 'master-key', '--finish', '--json'], folder.path);
    expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: '' });
    expect(existsSync(`${keyFile}.previous`)).toBe(false);
    const before = load.count();
    await until(() => load.count() > before + 1);
    expect(await load.stop()).toEqual([]);
    expect(await serving.stop()).toBe(0);

    await expect(withSystem(({ vault }) => vault.get('test/1'), { MASTER_KEY: old })).rejects.toThrow(
      /MASTER_KEY is not the one/,
    );
    const names = await withSystem(async ({ vault }) => {
      const all = await vault.names('');
      expect((await vault.getMany(all)).size).toBe(all.length);
      return all;
    });
    expect(names.length).toBeGreaterThan(secrets);
  }, 120_000);
});

describe.skipIf(missing)(onEngines('the master key of several nodes'), () => {
  it('is rotated by restarting them one by one, twice, while they sign people in', async () => {
    const old = engineSettings(folder.path)['MASTER_KEY'] ?? randomBytes(32).toString('base64');
    const next = randomBytes(32).toString('base64');
    const node = (keys: Record<string, string>, rest: Record<string, string> = {}) =>
      startServing(folder.path, { ...administrator, ...keys, ...rest });
    const rotate = (keys: Record<string, string>, ...words: string[]) =>
      runCommandLine(['rotate', 'master-key', ...words, '--json'], folder.path, keys);
    let first = await node({ MASTER_KEY: old });
    let second = await node({ MASTER_KEY: old }, { ROLES: 'api,projector' });
    await withSystem(manySecrets, { MASTER_KEY: old });
    expect((await rotate({ MASTER_KEY: old })).stderr).toMatch(/MASTER_KEY_PREVIOUS must be set/);
    const both = { MASTER_KEY: next, MASTER_KEY_PREVIOUS: old };
    expect((await rotate(both)).stderr).toMatch(/2 of 2 running nodes do not have the new master key/);

    // A new node is there before the old one goes: sign-ins go to nodes that are there.
    let origins = [second.origin];
    const load = signIns(() => origins);
    /** Resolves when every sign-in under way is at one of these. */
    const signInAt = async (...at: string[]) => {
      origins = at;
      const before = load.count();
      await until(() => load.count() > before + 1);
    };
    for (const keys of [{ MASTER_KEY: old, MASTER_KEY_PREVIOUS: next }, both]) {
      await signInAt(second.origin);
      await first.stop();
      first = await node(keys);
      await signInAt(first.origin);
      await second.stop();
      second = await node(keys, { ROLES: 'api,projector' });
      origins = [first.origin, second.origin];
    }
    const { code, stdout, stderr } = await rotate(both);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((JSON.parse(stdout) as { resealed: number }).resealed).toBeGreaterThanOrEqual(secrets);
    expect((await rotate(both, '--finish')).code).toBe(0);
    await signInAt(second.origin);
    await first.stop();
    first = await node({ MASTER_KEY: next });
    await signInAt(first.origin, second.origin);
    expect(await load.stop()).toEqual([]);
    await Promise.all([first.stop(), second.stop()]);
    await withSystem(
      async ({ vault }) => expect((await vault.getMany(await vault.names('test/'))).size).toBe(secrets),
      { MASTER_KEY: next },
    );
  }, 180_000);
});
