import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportState, UploadKind } from './import-state.ts';

/** The most bytes that a file may have. A directory of 100,000 services is about 20 MB as a zip file. */
export const mostUploadBytes = 64 * 1024 * 1024;

/**
 * Why a file is not taken.
 *
 * - empty, too_large
 * - wrong_type: no zip file, no workbook, no JSON and no CSV
 * - old_spreadsheet: a workbook of an old kind, or one with a password
 * - no_room: the disk is full
 * - cut_off: the connection ended before the file did
 */
export type UploadProblem = 'empty' | 'too_large' | 'wrong_type' | 'old_spreadsheet' | 'no_room' | 'cut_off';

/** The file cannot be taken. Nothing of it is left. */
export class UploadRefused extends Error {
  readonly code: UploadProblem;

  constructor(code: UploadProblem, options?: ErrorOptions) {
    super(`The file is refused: ${code}.`, options);
    this.name = 'UploadRefused';
    this.code = code;
  }
}

interface ReceiveOptions {
  readonly signal: AbortSignal;
  readonly mostBytes?: number | undefined;
}

/** A file in the folder, and of which import it is. */
export interface Upload {
  readonly team: string;
  readonly id: string;
  readonly path: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/**
 * The files of imports in a folder of the data folder, which only the service can read. Their names hold nothing that a
 * person has chosen but the slug of the team.
 */
export class Uploads {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'import-files');
  }

  path({ team, id, kind = 'zip' }: Pick<ImportState, 'team' | 'id' | 'kind'>): string {
    return join(this.#folder, `${team}.${id}.${kind}`);
  }

  /**
   * Writes a file while it arrives, and answers what it is: what its first bytes say, whatever its name.
   * @throws UploadRefused
   */
  async receive(
    of: Pick<ImportState, 'team' | 'id'>,
    stream: Readable,
    { signal, mostBytes = mostUploadBytes }: ReceiveOptions,
  ): Promise<UploadKind> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const arriving = join(this.#folder, `${of.team}.${of.id}.part`);
    let kind: UploadKind | undefined;
    let bytes = 0;
    async function* checked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        kind ??= kindOf(chunk);
        bytes += chunk.length;
        if (bytes > mostBytes) throw new UploadRefused('too_large');
        yield chunk;
      }
    }
    try {
      // Opened before anything can fail: a stream that opens it itself can make it after it was removed.
      const file = await open(arriving, 'w', 0o600);
      await pipeline(stream, checked, file.createWriteStream(), { signal });
      if (kind === undefined) throw new UploadRefused('empty');
      await rename(arriving, this.path({ ...of, kind }));
      return kind;
    } catch (error) {
      rmSync(arriving, { force: true });
      throw refusal(error);
    }
  }

  all(): Upload[] {
    return this.#names().flatMap((name) => {
      const [, team, id] = /^([a-z0-9-]+)\.([0-9a-f-]{36})\.(zip|json|csv|part)$/.exec(name) ?? [];
      const path = join(this.#folder, name);
      const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      return team === undefined || id === undefined || writtenAt === undefined
        ? []
        : [{ team, id, path, writtenAt }];
    });
  }

  has(of: Pick<ImportState, 'team' | 'id'>): boolean {
    return this.all().some(({ team, id }) => team === of.team && id === of.id);
  }

  remove(of: Pick<ImportState, 'team' | 'id'>): void {
    for (const { team, id, path } of this.all())
      if (team === of.team && id === of.id) rmSync(path, { force: true });
  }

  #names(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

/**
 * A zip file begins with an entry (APPNOTE 4.3.7), and a workbook is one; JSON begins with an object or a list, perhaps after a
 * byte order mark; old and locked workbooks are compound files (MS-CFB 2.2). Other text is CSV.
 */
function kindOf(begin: Buffer): UploadKind {
  if (begin.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 3, 4]))) return 'zip';
  if (begin.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw new UploadRefused('old_spreadsheet');
  const head = begin.subarray(0, 1024);
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const text = head.toString('utf8');
  if (/^\ufeff?\s*[[{]/.test(text)) return 'json';
  // A picture or a PDF has signs that no text has.
  if (isWide || !/(?![\t\n\r\f])\p{Cc}|^%PDF|^\s*<(?:!doctype|html|\?xml)/iu.test(text)) return 'csv';
  throw new UploadRefused('wrong_type');
}

function refusal(error: unknown): unknown {
  if (error instanceof UploadRefused) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new UploadRefused('no_room', { cause: error });
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'ABORT_ERR')
    return new UploadRefused('cut_off', { cause: error });
  return error;
}
