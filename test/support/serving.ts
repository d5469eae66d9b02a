import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './command-line.ts';
import { engineSettings } from './engine.ts';

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** What `npm start` gives Node: without them a start takes some tenths of a second of CPU more, as nobody starts it. */
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string };
};
export const nodeOptions = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/**
 * Nothing of the test runner's own settings (it sets BASE_URL, for one) may reach a process under test. With the
 * compiled code of earlier processes, as in the Dockerfile, `src/main.js` need not be compiled either.
 */
const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, HOME, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };

/** A server as people start it: a process of its own, on a free port of the loopback. */
export interface Serving {
  readonly origin: string;
  readonly pid: number;
  /** What it has written to stderr. */
  complaints(): string;
  /** Asks it to stop and waits; answers its exit code. */
  stop(): Promise<number | null>;
}

export async function startServing(
  dataDir: string,
  environment: Record<string, string> = {},
  /** The most file descriptors that it may have open; default: as many as this process. */
  descriptors = 'unchanged' as number | 'unchanged',
  /** Of another release of the program. */
  program = main,
): Promise<Serving> {
  const limit = descriptors === 'unchanged' ? '' : `ulimit -n ${descriptors} && `;
  const child = spawn(
    'sh',
    ['-c', `${limit}exec "$@"`, 'sh', process.execPath, ...nodeOptions, program, 'serve', '--json'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited,
        DATA_DIR: dataDir,
        PORT: '0',
        LOG_LEVEL: 'error',
        ...engineSettings(dataDir),
        ...environment,
      },
    },
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const listening = (async () => {
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('{')) return (JSON.parse(line) as { listening: string }).listening;
    }
    throw new Error(`The server ended before it listened. ${complaints}`);
  })();
  const origin = await listening;
  child.stdout.resume();
  await untilReady(origin);
  return {
    origin,
    pid: child.pid ?? 0,
    complaints: () => complaints,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

/** Runs one command line to its end; answers what it printed, as JSON. */
export async function runCommand(dataDir: string, ...args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCommandLine([...args, '--json'], dataDir);
  if (code !== 0) throw new Error(`commonweal ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
  return JSON.parse(stdout);
}

async function untilReady(origin: string): Promise<void> {
  while (!(await fetch(`${origin}/readyz`)).ok) await new Promise((resolve) => setTimeout(resolve, 20));
}
