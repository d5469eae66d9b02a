import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startSystem } from '../api/harness.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommandLine } from '../support/command-line.ts';
import { startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { start } from './processes.ts';

/** A folder of an installation that has served, with something in each of its files. */
const served = temporaryFolder();
beforeAll(async () => {
  if (!isEmbedded) return;
  const running = await startSystem({}, { path: served.path, remove: () => undefined });
  await running.resources(3);
  await running.key();
  await running.stop();
  await (await startServing(served.path)).stop();
});
afterAll(() => served.remove());

/** A copy of it, to be damaged. */
function aFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  cpSync(served.path, folder.path, { recursive: true });
  return folder.path;
}

/** Every page but the first is the opposite of what it was. */
function damage(file: string): void {
  const [pageBytes, bytes] = [4_096, readFileSync(file)];
  const handle = openSync(file, 'r+');
  writeSync(
    handle,
    Buffer.from(bytes.subarray(pageBytes).map((byte) => ~byte)),
    0,
    bytes.length - pageBytes,
    pageBytes,
  );
  closeSync(handle);
}

test.runIf(isEmbedded)(
  'a running node whose files are damaged is not ready, names each and what to do, and stays alive; doctor does too',
  async () => {
    const path = aFolder();
    const server = await startServing(path, { ROLES: 'api', LOG_LEVEL: 'silent' });
    onTestFinished(() => void server.stop());
    const readyz = async () => {
      const answer = await fetch(`${server.origin}/readyz`);
      return { status: answer.status, said: await answer.text() };
    };
    expect(await readyz()).toEqual({ status: 200, said: '{"status":"ready"}' });
    for (const [names, status] of [
      [['consumers.db', 'log.db'], 200],
      [['vault.db', 'views.db', 'side.db'], 503],
    ] as const) {
      for (const name of names) damage(join(path, name));
      const health = await until(async () => {
        const now = await readyz();
        return names.every((name) => now.said.includes(`${name} is damaged. Stop the service, `)) && now;
      });
      expect([names, health.status]).toEqual([names, status]);
      expect(health.said).not.toContain(path);
      expect(health.said).not.toMatch(/delete|remove/i);
    }
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    await server.stop();

    const { code, stdout } = await runCommandLine(['doctor', '--json'], path);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; sentence: string }[] };
    const sentences = findings.filter(({ check }) => check === 'integrity').map(({ sentence }) => sentence);
    for (const name of ['consumers.db', 'log.db', 'vault.db', 'views.db', 'side.db'])
      expect(sentences).toContainEqual(
        expect.stringMatching(new RegExp(`^${name} is damaged .*Stop the service`)),
      );
    expect(sentences.join()).not.toMatch(/delete/i);
  },
);

test.runIf(isEmbedded)('a start names what is missing or no file, and loses nothing', async () => {
  const path = aFolder();
  const serving = (settings = {}) => start('src/main.js', ['serve', '--json'], path, settings);
  const file = (name: string) => join(path, name);
  const without = async (name: string, work: () => Promise<void>) => {
    renameSync(file(name), file(`${name}.kept`));
    try {
      await work();
    } finally {
      rmSync(file(name), { recursive: true, force: true });
      renameSync(file(`${name}.kept`), file(name));
    }
  };

  await without('events.db', async () => {
    const { code, stderr } = await serving().ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /events\.db, the log, is gone, and vault\.db and log\.db and views\.db of it are there\. Nothing was changed\. Put the file back/,
    );
    expect(stderr).not.toMatch(/remove|delete/i);
    expect(existsSync(file('events.db'))).toBe(false);
  });
  await without('leases', async () => {
    writeFileSync(file('leases'), '');
    const { code, stderr } = await serving().ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^\S+leases: is a file where a folder must be; move it away\.[^\n]+\n$/),
    ]);
  });
  await without('side.db', async () => {
    const server = serving();
    onTestFinished(() => void server.kill());
    await until(() => server.written().includes('\n'));
    expect(server.complaints()).toMatch(
      /^\S+side\.db is missing, and is made anew\. This is lost: emails that waited, /,
    );
    expect((await server.stop()).code).toBe(0);
  });
  const server = serving();
  onTestFinished(() => void server.kill());
  await until(() => server.written().includes('\n'));
  expect((await server.stop()).stderr).toBe('');
  expect(statSync(file('leases')).isDirectory()).toBe(true);
});

test.runIf(isEmbedded)(
  'a file that is gone and comes back has lost nothing of what a killed node left beside it',
  async () => {
    const path = aFolder();
    const server = await startServing(path);
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
    const written = ['vault.db', 'side.db', 'consumers.db', 'log.db'].filter(
      (name) => (statSync(join(path, `${name}-wal`), { throwIfNoEntry: false })?.size ?? 0) > 0,
    );
    expect(written).toContain('side.db');
    for (const name of written.map((each) => join(path, each))) {
      const left = readFileSync(`${name}-wal`);
      renameSync(name, `${name}.kept`);
      for (const words of [['doctor'], ['keys', 'list']]) {
        const { code, stdout, stderr } = await runCommandLine(words, path);
        expect([name, words, code]).toEqual([name, words, 1]);
        expect(stdout + stderr).toContain(
          `${name}: is gone, and ${name}-wal of it is there. Nothing was changed.`,
        );
        expect(existsSync(name)).toBe(false);
        expect(readFileSync(`${name}-wal`).equals(left)).toBe(true);
      }
      renameSync(`${name}.kept`, name);
    }
    const again = await startServing(path);
    expect((await fetch(`${again.origin}/readyz`)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  },
);
