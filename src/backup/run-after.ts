import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupAfter } from '../config.ts';
import { counted } from '../ground/counted.ts';
import { lastLines } from './last-lines.ts';

/** What the program inherits of our environment: where programs, homes and temporary files are, language and zone. */
const inherited = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];

/** How long the program has to end after SIGTERM, in milliseconds. */
const graceMs = 10_000;

/** How long its output is read after its end, in milliseconds. */
const outputMs = 1_000;

export interface AfterOptions extends BackupAfter {
  /** The backup, as an absolute path. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Stops the program and all that it has started. */
  readonly signal: AbortSignal;
}

/** BACKUP_AFTER did not copy a backup. */
export class CopyFailed extends Error {
  /** How it ended, without what it printed and without paths: health says it to everybody. */
  readonly ending: string;

  constructor(ending: string, printed: string) {
    super(printed === '' ? ending : `${ending}: ${printed}`);
    this.name = 'CopyFailed';
    this.ending = ending;
  }
}

/**
 * Runs the program that copies a backup, without a shell: the folder is its last argument, and COMMONWEAL_BACKUP in its
 * environment, which has none of our settings. Its processes are a group of their own, and none of them outlives this.
 * @throws CopyFailed, or the reason of the signal
 */
export async function runAfterBackup(options: AfterOptions): Promise<void> {
  const { command, folder, environment, longestMs, signal } = options;
  signal.throwIfAborted();
  const [program = '', ...words] = command;
  const kept = inherited.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const child = spawn(program, [...words, folder], {
    detached: true,
    cwd: folder,
    env: { ...Object.fromEntries(kept), COMMONWEAL_BACKUP: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = lastLines();
  const { pid } = child;
  if (pid === undefined) {
    const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException];
    throw new CopyFailed(`it cannot be started (${error.code ?? 'unknown'})`, program);
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', output.add);
  const limit = AbortSignal.timeout(longestMs);
  const [code, by] = await ended(child, pid, AbortSignal.any([signal, limit]));
  signal.throwIfAborted();
  if (limit.aborted)
    throw new CopyFailed(`it was stopped after ${counted(longestMs / 1_000, 'second')}`, output.value());
  if (code !== 0) throw new CopyFailed(endingOf(code, by), output.value());
}

const endingOf = (code: number | null, by: NodeJS.Signals | null): string =>
  code === null ? `it was ended by ${by ?? 'a signal'}` : `it ended with exit code ${code}`;

/** Waits for the program. When it has ended or is to stop, so does whatever it has started. */
async function ended(
  child: ReturnType<typeof spawn>,
  pid: number,
  stop: AbortSignal,
): Promise<[code: number | null, by: NodeJS.Signals | null]> {
  const closed = once(child, 'close');
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const stopped = new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([exit, stopped]);
  if (stop.aborted) {
    toGroup(pid, 'SIGTERM');
    const early = new AbortController();
    await Promise.race([exit, sleep(graceMs, undefined, { signal: early.signal })]).catch(() => undefined);
    early.abort();
  }
  toGroup(pid, 'SIGKILL');
  const result = await exit;
  // One that has left the group may hold the output open.
  await Promise.race([closed, sleep(outputMs, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return result;
}

/** A group without processes is no error. */
function toGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
