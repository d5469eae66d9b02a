import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drillFolder } from '../../../src/backup/drill.ts';
import { backupRecord } from '../../../src/backup/record.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { verifications } from '../../../src/doctor/record.ts';
import { verifyWhenDue } from '../../../src/runtime/operators/verification.ts';
import type { Status } from '../../../src/status/status.ts';
import { runCommandLine, runProcess } from '../../support/command-line.ts';
import { isEmbedded } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { startServing, type Serving } from '../../support/serving.ts';
import { until } from '../../support/until.ts';

let folder: ReturnType<typeof temporaryFolder>;
let data: string;
let serving: Serving | undefined;
/** The stores of the server, which is another process. */
let system: System;
const record = () => backupRecord(system.side);
const at = (name: string) => join(folder.path, name);
const lines = (name: string) =>
  existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n').filter(Boolean) : [];

/** Writes the program of BACKUP_AFTER. */
function copyBy(...script: readonly string[]): void {
  writeFileSync(at('copy.sh'), ['#!/bin/sh', ...script, ''].join('\n'));
  chmodSync(at('copy.sh'), 0o700);
}

const settings = (more: Record<string, string> = {}) => ({
  BACKUP_DIR: at('backups'),
  BACKUP_AFTER: at('copy.sh'),
  ...more,
});
const serve = async (more: Record<string, string> = {}) =>
  (serving = await startServing(data, settings(more)));
const status = async () =>
  JSON.parse((await runCommandLine(['status', '--json'], data, settings())).stdout) as Status;
const backups = () => readdirSync(at('backups')).filter((name) => name.startsWith('commonweal-'));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

beforeEach(async () => {
  folder = temporaryFolder();
  data = at('data');
  serving = undefined;
  mkdirSync(at('remote'));
  await runCommandLine(['teams', 'create', 'harbor', '--name', 'Harbor'], data);
  system = await openSystem(readConfig({ DATA_DIR: data }));
});
afterEach(async () => {
  await system.close();
  if (serving && isAlive(serving.pid)) await serving.stop();
  folder.remove();
});

const copies = 'cp -r "$1" $REMOTE';

describe.skipIf(!isEmbedded)('a server with BACKUP_AFTER', { timeout: 300_000 }, () => {
  it('has each of its backups copied, and says which is the newest that was', async () => {
    copyBy(copies.replace('$REMOTE', at('remote')), `env > ${at('environment')}`);
    const port = await freePort();
    await serve({ METRICS_PORT: String(port) });
    await until(async () => (await record().copied()).at !== undefined);
    expect(readdirSync(at('remote'))).toEqual(backups());
    const { backup } = await status();
    expect(backup.copied_at).toBe(backup.newest_at);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const seconds = Date.parse(backup.copied_at ?? '') / 1_000;
    expect(metrics).toContain(`commonweal_backup_copied_timestamp_seconds ${seconds}`);
    expect(metrics).toContain('commonweal_backup_copy_failing 0');
    expect(readFileSync(at('environment'), 'utf8')).not.toMatch(/BACKUP_AFTER|DATA_DIR|METRICS_PORT/);
  });

  it('names one that fails in status, doctor and health, serves on, and copies when it is repaired', async () => {
    copyBy('echo "password=hunter2 was refused" >&2', 'exit 3');
    const { origin } = await serve();
    await until(async () => (await record().copied()).failure !== undefined);
    const { problems, backup } = await status();
    expect(backup).toMatchObject({ copied_at: null, copy_failure: { error: 'it ended with exit code 3' } });
    expect(problems).toContainEqual(
      expect.objectContaining({
        name: 'backup-not-copied',
        weight: 'in danger',
        remedy: expect.stringContaining('commonweal backup copy') as string,
      }) as unknown,
    );
    const doctor = await runCommandLine(['doctor'], data, settings());
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringMatching(/PROBLEM backup: Backups are not copied/),
    ]);
    const ready = await fetch(`${origin}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('exit code 3')]);
    const byHand = await runCommandLine(['backup', 'copy'], data, settings());
    expect(byHand).toMatchObject({
      code: 1,
      stderr: 'BACKUP_AFTER failed: it ended with exit code 3: password=… was refused\n',
    });
    copyBy(copies.replace('$REMOTE', at('remote')));
    expect((await runCommandLine(['backup', 'copy'], data, settings())).code).toBe(0);
    expect((await status()).problems.filter(({ name }) => name === 'backup-not-copied')).toEqual([]);
  });

  it('is killed while one hangs: the program ends with it, and the backup is copied after the restart', async () => {
    copyBy(`echo $$ >> ${at('pids')}`, 'sleep 1000');
    const { pid } = await serve();
    await until(() => lines('pids').length === 1);
    expect((await runCommandLine(['backup', 'copy'], data, settings())).stderr).toMatch(
      /is being copied already/,
    );
    expect(lines('pids')).toHaveLength(1);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(Number(lines('pids')[0])));
    const taken = backups();
    copyBy(copies.replace('$REMOTE', at('remote')));
    await serve();
    await until(async () => (await record().copied()).at !== undefined);
    expect(readdirSync(at('remote'))).toEqual(taken);
  });

  it('stops one that hangs when it is stopped, and when it takes too long', async () => {
    copyBy(`echo $$ >> ${at('pids')}`, 'sleep 1000 & wait');
    await serve();
    await until(() => lines('pids').length === 1);
    expect(await serving?.stop()).toBe(0);
    expect(isAlive(Number(lines('pids')[0]))).toBe(false);
    await serve({ BACKUP_AFTER_SECONDS: '1' });
    await until(async () => (await record().copied()).failure !== undefined);
    expect((await status()).backup.copy_failure?.error).toBe('it was stopped after 1 second');
    expect(isAlive(Number(lines('pids')[1]))).toBe(false);
  });
});

describe.skipIf(!isEmbedded)('the drill of a server', { timeout: 300_000 }, () => {
  it('runs when it is due, in a process of its own, after what a killed one has left is gone', async () => {
    copyBy('exit 0');
    const id = (await system.installation.id()) ?? '';
    await record().drillExpected(new Date(Date.now() - 2 * 24 * 3_600_000));
    expect((await runCommandLine(['backup'], data, settings())).code).toBe(0);
    const left = drillFolder(at('backups'), id);
    mkdirSync(join(left, 'restoring'), { recursive: true });
    writeFileSync(join(left, 'restoring', 'events.db'), 'half of it');
    await serve();
    await until(async () => (await record().drilled()).newest !== undefined);
    expect((await status()).backup.drill).toMatchObject({
      failure: null,
      events: expect.any(Number) as number,
    });
    await until(() => !existsSync(left));
  });

  it('does not run when it is switched off', async () => {
    copyBy('exit 0');
    await record().drillExpected(new Date(0));
    await serve({ BACKUP_DRILL: 'never' });
    // The job of backups has begun: it says first what nobody expects any more.
    await until(async () => (await record().drilled()).expectedSince === undefined);
    expect((await status()).backup.drill).toBeNull();
  });
});

describe.skipIf(!isEmbedded)('the daily verification', { timeout: 300_000 }, () => {
  it('runs a day after its first look, ten minutes after a start, and says what it found', async () => {
    const first = new Date('2026-03-01T00:00:00.000Z');
    const next = new Date('2026-03-02T00:00:00.000Z');
    const never = () => Promise.reject(new Error('not due'));
    const verify = () => runProcess(['verify', '--json'], data);
    const minutes = (count: number) => new Date(next.getTime() + count * 60_000);
    await verifyWhenDue(system, { now: first, since: first }, never);
    await verifyWhenDue(system, { now: next, since: minutes(-9) }, never);
    await verifyWhenDue(system, { now: minutes(1), since: minutes(-9) }, verify);
    const newest = await verifications(system.side).newest();
    expect(newest?.problems).toBe(1);
    expect(newest?.findings).toMatchObject([
      { name: 'never-signed', check: 'proof log', severity: 'problem' },
    ]);
    await verifyWhenDue(system, { now: new Date(), since: first }, never);
    const { verify: run, problems } = await status();
    expect(run).toMatchObject({ newest_at: newest?.at, problems: 1 });
    expect(problems).toContainEqual(expect.objectContaining({ id: 'verify' }) as unknown);
    await expect(
      verifyWhenDue(system, { now: new Date('2999-01-01'), since: first }, () =>
        runProcess(['verify', '--no-such-option'], data),
      ),
    ).rejects.toThrow('--no-such-option');
    // It is known, and people are served.
    const { origin } = await startServing(data).then((started) => (serving = started));
    const ready = await fetch(`${origin}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('commonweal verify')]);
  });
});
