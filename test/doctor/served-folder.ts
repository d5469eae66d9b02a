import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runCommandLine } from '../support/command-line.ts';
import type { startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

/** A folder as a server left it: people, a team, a webhook, somebody erased, and several checkpoints. */
export async function servedFolder(data: string, serve: typeof startServing): Promise<void> {
  const serving = await serve(data, {
    CHECKPOINT_SECONDS: '1',
    ADMIN_EMAIL: 'ada@example.org',
    ADMIN_PASSWORD: 'a long sentence of four',
  });
  try {
    await signed(data, 1);
    for (const words of [
      ['teams', 'create', 'harbor', '--name', 'Harbor'],
      ['administrators', 'add', '--email', 'bo@example.org', '--name', 'Bo Byrne'],
      ['erase', 'bo@example.org', '--now'],
    ])
      await run(data, words);
    await signed(data, 2);
    const webhook = ['--url', 'https://93.184.215.14/hook', '--events', 'payment.received'];
    await run(data, ['subscriptions', 'create', '--team', 'harbor', ...webhook]);
    await signed(data, 3);
  } finally {
    await serving.stop();
  }
}

async function run(data: string, words: readonly string[]): Promise<void> {
  const { code, stderr } = await runCommandLine(words, data);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
}

const signed = (data: string, atLeast: number) =>
  until(() => {
    const db = new DatabaseSync(join(data, 'log.db'), { readOnly: true });
    try {
      return Number(db.prepare('SELECT count(*) AS n FROM checkpoints').get()?.['n']) >= atLeast;
    } finally {
      db.close();
    }
  });

/** A small disk of its own, where this system lets us make one. `use` gets its folder. */
export async function onSmallDisk(
  folder: string,
  megabytes: number,
  use: (disk: string) => Promise<void>,
): Promise<boolean> {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  try {
    await use(folder);
  } finally {
    execFileSync('umount', [folder]);
  }
  return true;
}

/** How many bytes the files of a folder have. */
export const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
