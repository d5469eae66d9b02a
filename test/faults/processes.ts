import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { engineSettings } from '../support/engine.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const living = new Set<ChildProcess>();
// Whatever ends this process, nothing that it started stays behind.
process.on('exit', () => {
  for (const each of living) each.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of ours at work. */
export interface Running {
  readonly ended: Promise<Ended>;
  /** What it has written to standard output so far. */
  written(): string;
  /** The same of standard error. */
  complaints(): string;
  signal(name: NodeJS.Signals): void;
  /** As a power button does it; answers whether there was still something to kill. */
  kill(): Promise<boolean>;
  /** Kills it after so long, unless it has ended by itself. */
  killAfter(ms: number): Promise<boolean>;
  /** Asks it to end, and waits. */
  stop(): Promise<Ended>;
}

/** Starts a command line of the product. */
export const cli = (dataDir: string, ...words: readonly string[]): Running =>
  start('src/main.js', words, dataDir);

/** Starts any script of ours in a process of its own, with settings that owe nothing to those of this process. */
export function start(
  script: string,
  words: readonly string[],
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  /** The checkout that it is a script of. */
  checkout = root,
): Running {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [script, ...words], {
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(
        Object.entries({ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }).filter(([, value]) => value !== undefined),
      ),
      DATA_DIR: dataDir,
      PORT: '0',
      ...engineSettings(dataDir),
      ...settings,
    },
  });
  living.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code, signal]) => {
    living.delete(child);
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr };
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const kill = async () => {
    if (isAlive()) child.kill('SIGKILL');
    return (await ended).signal === 'SIGKILL';
  };
  return {
    ended,
    written: () => stdout,
    complaints: () => stderr,
    signal: (name) => void child.kill(name),
    kill,
    async killAfter(ms) {
      const early = new AbortController();
      await Promise.race([ended, sleep(ms, undefined, { signal: early.signal }).catch(() => undefined)]);
      early.abort();
      return kill();
    },
    async stop() {
      if (isAlive()) child.kill('SIGTERM');
      return ended;
    },
  };
}

/**
 * What is wrong with how a process ended: unless it was killed, it must say 0, and a server must not have ended
 * before it was told to.
 */
export function endedBadly(
  what: string,
  { code, signal, stderr }: Ended,
  how: 'killed' | 'by itself' | 'told',
): string[] {
  // Told to stop before it had begun to listen to such wishes, it just ends; that is as good.
  const expected =
    code === 0 || (how === 'killed' && signal === 'SIGKILL') || (how === 'told' && signal === 'SIGTERM');
  return expected ? [] : [`${what} ended with ${code ?? signal ?? 'nothing'}: ${stderr.trim()}`];
}

/** A server has no business to end at all before it is killed. */
export const servedBadly = (killed: boolean, { code, signal, stderr }: Ended): string[] =>
  killed ? [] : [`serve ended by itself with ${code ?? signal ?? 'nothing'}: ${stderr.trim()}`];
