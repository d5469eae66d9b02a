import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../main.js', import.meta.url));

/**
 * How long a process has to clean up, in milliseconds: longer than it waits for what it has started itself, and shorter than
 * a stop of the server may take. What a killed one leaves goes with the next one.
 */
const graceMs = 20_000;

interface ProcessOptions {
  /** Gets the processor when nothing else needs it. */
  readonly background?: boolean;
  /** Is stopped after so long, in milliseconds. Default: never. */
  readonly longestMs?: number;
}

/**
 * Runs one of our commands in a process of its own, with the settings of this one: reading whole files would hold up
 * requests. Returns its exit code and what it printed. Its standard input ends when this process does (`withParent`).
 * @throws Error when it was stopped because it took too long
 */
export async function runCommandProcess(
  words: readonly string[],
  signal: AbortSignal,
  { background = false, longestMs }: ProcessOptions = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [main, ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
  if (background && child.pid !== undefined) lower(child.pid);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Nothing is written to it.
  child.stdin.on('error', () => undefined);
  const limit = longestMs === undefined ? undefined : AbortSignal.timeout(longestMs);
  let late: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    late ??= setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  limit?.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    if (limit?.aborted === true)
      throw new Error(
        `${words.join(' ')} was stopped after ${Math.round((longestMs ?? 0) / 60_000)} minutes.`,
      );
    return { code, stdout, stderr };
  } finally {
    signal.removeEventListener('abort', stop);
    limit?.removeEventListener('abort', stop);
    clearTimeout(late);
  }
}

/** Before the process has threads, which have the priority of the first. */
function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It goes on with ours.
  }
}

/**
 * Of a process that `runCommandProcess` started: aborts as well when the server has ended, even if it was killed. It does
 * not keep this process alive.
 */
export function withParent(stop: AbortSignal): AbortSignal {
  const ended = new AbortController();
  process.stdin.once('end', () => ended.abort()).once('error', () => ended.abort());
  process.stdin.resume();
  (process.stdin as { readonly unref?: () => void }).unref?.();
  return AbortSignal.any([stop, ended.signal]);
}
