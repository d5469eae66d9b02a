import { createReadStream, existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { StoreError } from '../errors.ts';
import type { ErasureLedger, LedgerEntry } from './port.ts';

const newline = 10;

/** A file with one JSON object a line. Lines are only ever added, each with one write, so processes can share it. */
export class FileErasureLedger implements ErasureLedger {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async record({ holder, at, event }: LedgerEntry): Promise<void> {
    const line = `${JSON.stringify({ holder, at, ...(event === undefined ? {} : { event }) })}\n`;
    try {
      const isNew = !existsSync(this.#path);
      const file = await open(this.#path, 'a+', 0o600);
      try {
        // A process that was stopped while it wrote leaves half a line: the next one begins on a line of its own.
        await file.write((await endsInLine(file)) ? line : `\n${line}`);
        await file.sync();
      } finally {
        await file.close();
      }
      if (isNew) await syncFolder(dirname(this.#path));
    } catch (error) {
      throw this.#failure(error, 'written to');
    }
  }

  async *entries(): AsyncIterable<LedgerEntry> {
    if (!existsSync(this.#path)) return;
    const input = createReadStream(this.#path, 'utf8');
    // Registered now: an error that nobody listens to would end the process.
    const failed = new Promise<never>((_, reject) => input.once('error', reject));
    failed.catch(() => undefined);
    let number = 0;
    const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
    for (;;) {
      const { value, done } = await Promise.race([lines.next(), failed]).catch((error: unknown) => {
        throw this.#failure(error, 'read');
      });
      if (done) return;
      number++;
      const entry = this.#parsed(value, number);
      if (entry) yield entry;
    }
  }

  #parsed(line: string, number: number): LedgerEntry | undefined {
    // Half a line: the process was stopped before it destroyed anything, and whoever finished that wrote another line.
    if (!line.endsWith('}')) return undefined;
    try {
      const { holder, at, event } = JSON.parse(line) as Partial<LedgerEntry>;
      if (typeof holder !== 'string' || typeof at !== 'string') throw new Error('It names no data key.');
      return { holder, at, ...(event === undefined ? {} : { event }) };
    } catch (cause) {
      throw new StoreError(
        'incompatible',
        `${this.#path}: line ${number} of the erasure ledger cannot be read. Without it, somebody who was erased could come back. Put a copy of the file in its place, or correct the line.`,
        { cause },
      );
    }
  }

  #failure(error: unknown, what: string): StoreError {
    if (error instanceof StoreError) return error;
    const { code, message } = error as NodeJS.ErrnoException;
    return new StoreError(
      code === 'ENOSPC' ? 'full' : 'unavailable',
      `The erasure ledger ${this.#path} cannot be ${what} (${code ?? message}). Nothing is erased until it can: see ERASURE_LEDGER.`,
      { cause: error, outcome: 'none' },
    );
  }
}

async function endsInLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === newline;
}

/** A new file survives a power cut only when its folder is written too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
