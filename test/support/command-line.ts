import { runCli } from '../../src/cli/program.ts';
import { start, type Ended } from '../faults/processes.ts';
import { engineSettings } from './engine.ts';

type Settings = Readonly<Record<string, string>>;

/** One at a time: what is printed is caught for the whole process. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs one command line to its end, with real stores, in the process of the test: a process of its own takes half
 * a second of CPU to load. Tests about processes (signals, pipes, what a start does) use `start` instead.
 */
export function runCommandLine(
  words: readonly string[],
  dataDir: string,
  settings: Settings = {},
): Promise<Ended> {
  const run = before.then(() =>
    caught(words, { DATA_DIR: dataDir, ...engineSettings(dataDir), ...settings }),
  );
  before = run.catch(() => undefined);
  return run;
}

/** Like `runCommandLine`, in a process of its own. */
export const runProcess = (
  words: readonly string[],
  dataDir: string,
  settings: Settings = {},
): Promise<Ended> => start('src/main.js', words, dataDir, settings).ended;

/** Where a command listens for as long as its process lives. */
const emitters: readonly (readonly [NodeJS.EventEmitter, string])[] = [
  [process.stdout, 'error'],
  [process, 'SIGINT'],
  [process, 'SIGTERM'],
];

async function caught(words: readonly string[], environment: Settings): Promise<Ended> {
  const { log, error } = console;
  const toOurStdout = process.stdout.write.bind(process.stdout);
  const toOurStderr = process.stderr.write.bind(process.stderr);
  const listened = emitters.map(([emitter, name]) => emitter.listeners(name));
  const umask = process.umask(0o077);
  let stdout = '';
  let stderr = '';
  const toStdout = (text: unknown) => ((stdout += String(text)), true);
  const toStderr = (text: unknown) => ((stderr += String(text)), true);
  console.log = (text: unknown) => void toStdout(`${String(text)}\n`);
  console.error = (text: unknown) => void toStderr(`${String(text)}\n`);
  process.stdout.write = toStdout;
  process.stderr.write = toStderr;
  try {
    const code = await runCli([process.execPath, 'src/main.js', ...words], environment);
    return { code, signal: null, stdout, stderr };
  } finally {
    Object.assign(console, { log, error });
    process.stdout.write = toOurStdout;
    process.stderr.write = toOurStderr;
    process.umask(umask);
    for (const [index, [emitter, name]] of emitters.entries())
      for (const each of emitter.listeners(name))
        if (!listened[index]?.includes(each)) emitter.off(name, each as () => void);
  }
}
