import { once } from 'node:events';
import { link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { CommandRefused } from '../ground/refusals.ts';

/** Text that is collected before it is written. */
const bufferedCharacters = 256 * 1024;

/** The name until everything is written, so that nothing looks complete that is not. */
const unfinished = (path: string): string => `${path.replace(/[/\\]+$/, '')}.part-${process.pid}`;

/** @throws CommandRefused conflict, when there is something */
export async function refuseExisting(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (found) {
    throw new CommandRefused(
      'conflict',
      `${path} exists already. Name another path: nothing is overwritten.`,
    );
  }
}

/** Writes a file. It has its name when it is complete. @throws CommandRefused conflict */
export async function writeWhole(path: string, text: AsyncIterable<string>): Promise<void> {
  await whole(path, async (part) => {
    const file = await open(part, 'wx');
    try {
      for await (const piece of inLargePieces(text)) await file.appendFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

/** Writes to standard output, as fast as its reader reads. */
export async function printWhole(text: AsyncIterable<string>): Promise<void> {
  for await (const piece of inLargePieces(text)) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}

async function* inLargePieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  let buffered = '';
  for await (const piece of text) {
    buffered += piece;
    if (buffered.length < bufferedCharacters) continue;
    yield buffered;
    buffered = '';
  }
  yield buffered;
}

/** Fills a folder. It has its name when it is complete. @throws CommandRefused conflict */
export async function fillWhole(path: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const part = unfinished(path);
  await refuseExisting(path);
  await mkdir(part);
  try {
    await fill(part);
    await refuseExisting(path);
    await rename(part, path);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** `make` writes a file under the name that it is given. @throws CommandRefused conflict */
export async function whole(path: string, make: (part: string) => Promise<void>): Promise<void> {
  const part = unfinished(path);
  await refuseExisting(path);
  try {
    await make(part);
    // Unlike a rename, a link never replaces what somebody else has put there meanwhile.
    await link(part, path);
  } finally {
    await rm(part, { force: true });
  }
}
