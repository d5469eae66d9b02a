import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../main.js', import.meta.url));

/**
 * Runs one of our commands in a process of its own, with the settings of this one: reading whole files would hold up
 * requests. Returns its exit code and what it printed.
 */
export async function runCommandProcess(
  words: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const stop = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    return { code, stdout, stderr };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
