import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
  mkdirSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from './processes.ts';

/** What can happen to a file. */
export const damages = {
  /** It ends in the middle, as after a copy that was cut off. */
  cut: (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  /** Its second page, or all of a smaller file, is the opposite of what it was. */
  flipped(file: string) {
    const size = statSync(file).size;
    const page = Buffer.alloc(Math.min(4_096, size));
    const at = size >= 2 * page.length ? page.length : 0;
    const handle = openSync(file, 'r+');
    readSync(handle, page, 0, page.length, at);
    writeSync(handle, Buffer.from(page.map((byte) => ~byte)), 0, page.length, at);
    closeSync(handle);
  },
  gone: (file: string) => rmSync(file),
  'a folder'(file: string) {
    rmSync(file);
    mkdirSync(file);
  },
} as const;
export type Damage = keyof typeof damages;

export interface Trial {
  /** Relative to the data folder. */
  readonly file: string;
  readonly damage: Damage;
}

/** Every file of a data folder with every damage. */
export const trialsOf = (folder: string): Trial[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .flatMap((file) => (Object.keys(damages) as Damage[]).map((damage) => ({ file, damage })));

export interface Outcome {
  /** What a person at the terminal reads. */
  readonly complaints: string;
  /** The exit code, when the start was refused. */
  readonly code?: number | null;
  /** What /readyz answered in the end, and each address that was asked. */
  readonly ready?: number;
  readonly readiness?: string;
  readonly answers?: Readonly<Record<string, { readonly status: number; readonly body: string }>>;
}

/** Starts a server on a damaged copy of the folder, asks what people ask, and stops it. */
export async function tryDamaged(
  intact: string,
  copy: string,
  { file, damage }: Trial,
  asked: readonly string[],
): Promise<Outcome> {
  cpSync(intact, copy, { recursive: true });
  damages[damage](join(copy, file));
  const server = start('src/main.js', ['serve', '--json'], copy, { LOG_LEVEL: 'error' });
  try {
    const refused = server.ended.then(({ code }) => ({ code }));
    const listening = (async () => {
      while (!server.written().includes('\n')) await sleep(20);
      return {
        origin: (JSON.parse(server.written().split('\n')[0] ?? '') as { listening: string }).listening,
      };
    })();
    const first = await Promise.race([refused, listening]);
    if ('code' in first) return { code: first.code, complaints: server.complaints() };
    const served = async () => {
      const { origin } = first;
      // Read models that are made anew are ready soon.
      const until = Date.now() + 8_000;
      let readiness = await fetch(`${origin}/readyz`);
      while (readiness.status !== 200 && Date.now() < until) {
        await sleep(200);
        readiness = await fetch(`${origin}/readyz`);
      }
      const answers = await Promise.all(
        asked.map(async (path) => {
          const answer = await fetch(origin + path, { redirect: 'manual' });
          return [path, { status: answer.status, body: await answer.text() }] as const;
        }),
      );
      return {
        complaints: server.complaints(),
        ready: readiness.status,
        readiness: await readiness.text(),
        answers: Object.fromEntries(answers),
      };
    };
    // It may find the damage only after it listens.
    return await served().catch(async () => ({ ...(await refused), complaints: server.complaints() }));
  } finally {
    await server.kill();
    rmSync(copy, { recursive: true, force: true });
  }
}
