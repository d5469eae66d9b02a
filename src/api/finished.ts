/** An answer that is ready to be sent again. */
export interface Finished {
  readonly body: Buffer;
  readonly etag: string;
  /** The Link header, where there is one. */
  readonly link: string | undefined;
  /** Compressed, by the Accept-Encoding that it was made for. */
  readonly forms: Map<string, { readonly encoding: string; readonly body: Buffer }>;
}

export const finished = (body: string, etag: string, link?: string): Finished => ({
  body: Buffer.from(body),
  etag,
  link,
  forms: new Map(),
});

/** What an entry costs beside its key and its body, which counts twice: for itself and its compressed forms. */
const overheadBytes = 512;

/**
 * Finished answers, kept while what they were made from stands, within a limit of bytes; the one that was
 * unused for longest goes first.
 */
export class FinishedAnswers {
  readonly #maximumBytes: number;
  readonly #answers = new Map<string, Finished>();
  #stamp: string | undefined;
  #bytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** The answer kept under this very stamp. Without a stamp nothing is ever kept. */
  get(key: string, stamp: string | undefined): Finished | undefined {
    if (stamp === undefined || stamp !== this.#stamp) return undefined;
    const found = this.#answers.get(key);
    // One that is asked for often stays young; moving every time would cost more than it brings.
    if (found && this.#bytes > this.#maximumBytes / 2) {
      this.#answers.delete(key);
      this.#answers.set(key, found);
    }
    return found;
  }

  put(key: string, stamp: string | undefined, answer: Finished): void {
    if (stamp === undefined) return;
    if (stamp !== this.#stamp) {
      this.#answers.clear();
      this.#bytes = 0;
      this.#stamp = stamp;
    }
    const before = this.#answers.get(key);
    if (before) this.#remove(key, before);
    this.#answers.set(key, answer);
    this.#bytes += sizeOf(key, answer);
    for (const [oldest, kept] of this.#answers) {
      if (this.#bytes <= this.#maximumBytes) break;
      this.#remove(oldest, kept);
    }
  }

  #remove(key: string, answer: Finished): void {
    this.#answers.delete(key);
    this.#bytes -= sizeOf(key, answer);
  }
}

const sizeOf = (key: string, { body }: Finished): number => body.length * 2 + key.length * 2 + overheadBytes;
