import { createReadStream, existsSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreError } from '../errors.ts';
import { ledgerEntryOf, type ErasureLedger, type LedgerEntry } from './port.ts';

const newline = 10;

/** How an entry begins: what a process that was stopped while it wrote has left begins so too. */
const beginning = '{"holder":"';

/** Ends half a line, so that it is told from a line that was damaged. */
const halfLineMark = ' (not written to its end)';

/**
 * A file with one JSON object a line. Lines are only ever added, each with one write, so processes can share it.
 * Half a line is passed over at the end of the file, and where the mark ends it: the process was stopped before it
 * destroyed anything, and whoever finished that wrote another line. Anything else that is no entry is damage.
 */
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
        await file.write((await endsInLine(file)) ? line : `${halfLineMark}\n${line}`);
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
    let number = 0;
    let rest = '';
    try {
      for await (const chunk of createReadStream(this.#path, 'utf8')) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const entry = this.#parsed(line, ++number);
          if (entry) yield entry;
        }
      }
    } catch (error) {
      throw this.#failure(error, 'read');
    }
    const last = isHalfLine(rest) ? undefined : this.#parsed(rest, number + 1);
    if (last) yield last;
  }

  #parsed(written: string, number: number): LedgerEntry | undefined {
    const isEnded = written.endsWith(halfLineMark);
    const line = isEnded ? written.slice(0, -halfLineMark.length) : written;
    if (line.trim() === '' || (isEnded && isHalfLine(line))) return undefined;
    try {
      return ledgerEntryOf(JSON.parse(line));
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

/** Whether this is the beginning of an entry, and not the whole of it. Zeros are what a damaged disk has there. */
const isHalfLine = (line: string): boolean =>
  !line.endsWith('}') && !line.includes('\0') && (line.startsWith(beginning) || beginning.startsWith(line));

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
