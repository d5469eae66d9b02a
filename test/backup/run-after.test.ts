import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastLines } from '../../src/backup/last-lines.ts';
import { CopyFailed, runAfterBackup } from '../../src/backup/run-after.ts';
import { ConfigError, readConfig } from '../../src/config.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

let folder: ReturnType<typeof temporaryFolder>;
let backup: string;
const at = (name: string) => join(folder.path, name);

beforeEach(() => {
  folder = temporaryFolder();
  backup = at('a backup');
  mkdirSync(backup);
});
afterEach(() => folder.remove());

function script(...lines: readonly string[]): string {
  const path = at('copy.sh');
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o700);
  return path;
}

const run = (
  command: readonly string[],
  { longestMs = 60_000, signal = new AbortController().signal } = {},
) =>
  runAfterBackup({
    command,
    longestMs,
    signal,
    folder: backup,
    environment: { PATH: process.env['PATH'], HOME: '/home/ada', MASTER_KEY: 'secret', SMTP_URL: 'smtp://x' },
  });

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('BACKUP_AFTER', () => {
  it('gets the folder as its last argument and in its environment, and none of our settings', async () => {
    const program = script(`printf '%s|' "$@" > ${at('words')}`, `env > ${at('environment')}`, 'pwd -P');
    await run([program, '--to', '$HOME']);
    expect(readFileSync(at('words'), 'utf8')).toBe(`--to|$HOME|${backup}|`);
    const environment = readFileSync(at('environment'), 'utf8');
    expect(environment).toContain(`COMMONWEAL_BACKUP=${backup}\n`);
    expect(environment).toContain('HOME=/home/ada\n');
    expect(environment).not.toMatch(/MASTER_KEY|SMTP_URL/);
  });

  it('fails with how it ended and what it printed last, without secrets', async () => {
    const program = script(
      'i=0; while [ $i -lt 3000 ]; do echo "line $i of many"; i=$((i+1)); done',
      'echo "PUT https://ada:s3cret@store.example/bucket?X-Amz-Signature=abcdef" >&2',
      'echo "denied" >&2; exit 7',
    );
    const error = await run([program]).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(CopyFailed);
    expect((error as CopyFailed).ending).toBe('it ended with exit code 7');
    expect((error as CopyFailed).message).toContain('PUT https://…@store.example/bucket?… / denied');
    expect((error as CopyFailed).message).not.toMatch(/s3cret|abcdef|line 1 of/);
  });

  it('cannot be started where there is no such program', async () => {
    await expect(run([at('nothing')])).rejects.toThrow(`it cannot be started (ENOENT): ${at('nothing')}`);
  });

  it('is stopped when it takes too long, with all that it has started', async () => {
    const program = script(`sleep 1000 & echo $! > ${at('pid')}`, 'echo uploading', 'wait');
    await expect(run([program], { longestMs: 1_000 })).rejects.toThrow('stopped after 1 second: uploading');
    const pid = Number(readFileSync(at('pid'), 'utf8'));
    await until(() => !isAlive(pid));
  });

  it('is stopped with the server, and leaves nothing in the background when it ends by itself', async () => {
    const stop = new AbortController();
    const waiting = script(`sleep 1000 & echo $! > ${at('pid')}`, 'wait');
    const running = run([waiting], { signal: stop.signal });
    await until(() => existsSync(at('pid')) && readFileSync(at('pid'), 'utf8') !== '');
    stop.abort(new Error('The server stops.'));
    await expect(running).rejects.toThrow('The server stops.');
    await until(() => !isAlive(Number(readFileSync(at('pid'), 'utf8'))));
    await run([script(`sleep 1000 & echo $! > ${at('pid')}`)]);
    await until(() => !isAlive(Number(readFileSync(at('pid'), 'utf8'))));
  });

  it.each([
    [{ BACKUP_AFTER: 'rclone copy' }, /BACKUP_AFTER must begin with the absolute path of a program/],
    [{ BACKUP_AFTER: '/bin/true', BACKUP_DIR: '' }, /BACKUP_AFTER copies what is in BACKUP_DIR/],
    [{ BACKUP_AFTER_SECONDS: '0' }, /BACKUP_AFTER_SECONDS must be 1 to 86400/],
    [{ BACKUP_DRILL: 'daily' }, /BACKUP_DRILL must be weekly or never/],
  ])('%j is refused at the start', (settings, why) => {
    const read = () => readConfig({ BACKUP_DIR: '/backups', ...settings });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(why);
  });
});

it.each([
  ['Authorization: AWS4-HMAC-SHA256 Credential=AKIA/x', 'Authorization: …'],
  ['secret_access_key = abc', 'secret_access_key = …'],
  ['RESTIC_PASSWORD=hunter2 was wrong', 'RESTIC_PASSWORD=… was wrong'],
  [`id wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY is unknown`, 'id … is unknown'],
  ['\x1b[31mno such bucket: example\x1b[0m', 'no such bucket: example'],
])('of the line %j are kept: %j', (line, shown) => {
  const lines = lastLines();
  lines.add(Buffer.from(`${line}\n`));
  expect(lines.value()).toBe(shown);
});
