import { createReadStream } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreError } from '../errors.ts';
import { ledgerEntryOf, type KeptLedger, type LedgerEntry } from './erasure-ledger-port.ts';

const newline = 10;

/** How an entry begins: what a process that was stopped while it wrote has left begins so too. */
const beginning = '{"holder":"';

/** A line that says of which installation the ledger is. Installations may share one: the entries of others name nobody of ours. */
const ownerBeginning = '{"erasure_ledger_of":"';
const ownerLine = (installation: string): string => `${ownerBeginning}${installation}"}\n`;
const ownerPattern = /^\{"erasure_ledger_of":"([0-9a-f-]{36})"\}$/;

/** Ends half a line, so that it is told from a line that was damaged. */
const halfLineMark = ' (not written to its end)';

/**
 * A file with one JSON object a line. Lines are only ever added, each with one write, so processes can share it.
 * Half a line is passed over at the end of the file, and where the mark ends it: the process was stopped before it
 * destroyed anything, and whoever finished that wrote another line. Anything else that is no entry is damage.
 */
export class FileErasureLedger implements KeptLedger {
  readonly name: string;
  readonly #path: string;
  readonly #setting: string;

  /** `setting`: the one that places the file. */
  constructor(path: string, setting = 'ERASURE_LEDGER') {
    this.name = `The erasure ledger ${path} (${setting})`;
    this.#path = path;
    this.#setting = setting;
  }

  /** An empty file is what a stopped process or a full disk leaves. */
  async isThere(): Promise<boolean> {
    try {
      return (await stat(this.#path)).size > 0;
    } catch (error) {
      if (isMissing(error)) return false;
      throw this.#failure(error, 'read');
    }
  }

  async isOf(installation: string): Promise<boolean> {
    const owners = await this.#owners();
    return owners.size === 0 || owners.has(installation);
  }

  async #owners(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for await (const { line } of this.#lines()) {
      const [, installation] = ownerPattern.exec(line) ?? [];
      if (installation !== undefined) found.add(installation);
    }
    return found;
  }

  async begin(installation: string): Promise<void> {
    if ((await this.#owners()).has(installation)) return;
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    } catch (error) {
      throw this.#failure(error, 'made');
    }
    await this.#add(ownerLine(installation));
  }

  async ready(): Promise<void> {
    try {
      await (await open(this.#path, 'r+')).close();
    } catch (error) {
      // It is made with its first entry, where its folder is.
      const why = isMissing(error)
        ? await stat(dirname(this.#path)).catch((reason: unknown) => reason)
        : error;
      if (why instanceof Error) throw this.#failure(why, 'written to');
    }
  }

  async record({ holder, at, event }: LedgerEntry): Promise<void> {
    await this.#add(`${JSON.stringify({ holder, at, ...(event === undefined ? {} : { event }) })}\n`);
  }

  async #add(line: string): Promise<void> {
    try {
      const isNew = !(await this.isThere());
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
    for await (const { line, number, isLast } of this.#lines()) {
      const entry = isLast && isHalfLine(line) ? undefined : this.#parsed(line, number);
      if (entry) yield entry;
    }
  }

  async *#lines(): AsyncIterable<{
    readonly line: string;
    readonly number: number;
    readonly isLast: boolean;
  }> {
    let number = 0;
    let rest = '';
    try {
      for await (const chunk of createReadStream(this.#path, 'utf8')) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield { line, number: ++number, isLast: false };
      }
    } catch (error) {
      if (isMissing(error)) return;
      throw this.#failure(error, 'read');
    }
    yield { line: rest, number: number + 1, isLast: true };
  }

  #parsed(written: string, number: number): LedgerEntry | undefined {
    const isEnded = written.endsWith(halfLineMark);
    const line = isEnded ? written.slice(0, -halfLineMark.length) : written;
    if (line.trim() === '' || (isEnded && isHalfLine(line)) || ownerPattern.test(line)) return undefined;
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
      `The erasure ledger ${this.#path} cannot be ${what} (${code ?? message}). Nothing is erased until it can: see ${this.#setting}.`,
      { cause: error, outcome: 'none' },
    );
  }
}

/** Whether this is the beginning of a line of ours, and not the whole of it. Zeros are what a damaged disk has there. */
const isHalfLine = (line: string): boolean =>
  !line.endsWith('}') &&
  !line.includes('\0') &&
  [beginning, ownerBeginning].some((whole) => line.startsWith(whole) || whole.startsWith(line));

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

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
