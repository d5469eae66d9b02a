import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from '../support/until.ts';

/** A site as a process of its own. */
export interface SiteProgram {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  /** Where it listens. */
  readonly origin: string;
}

/** Runs the program of a site, and ends it. @throws Error with what the program has written */
export async function whileServed(
  { program, words, folder, origin }: SiteProgram,
  visited: () => Promise<void>,
): Promise<void> {
  const { PATH, HOME } = process.env;
  const site = spawn(program, words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, HOME, AUTH_SECRET: 'a'.repeat(44), SESSION_SECRET: 'a'.repeat(44) },
  });
  let complaints = '';
  site.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const ended = once(site, 'exit');
  try {
    await untilAnswered(origin, () => site.exitCode !== null);
    await visited();
  } catch (error) {
    throw new Error(`${words.join(' ')}: ${complaints}`, { cause: error });
  } finally {
    site.kill();
    await ended;
  }
}

async function untilAnswered(origin: string, over: () => boolean): Promise<void> {
  await until(() => {
    if (over()) throw new Error('The site ended before it listened.');
    return fetch(origin).then(
      () => true,
      () => false,
    );
  });
}
