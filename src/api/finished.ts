/** An answer that is ready to be sent. */
export interface Finished {
  /** Bytes where it is kept, which are sent without being encoded again. */
  readonly body: string | Buffer;
  readonly etag: string;
  /** The Link header, where there is one. */
  readonly link: string | undefined;
  /** Of an answer that is kept: compressed, by the Accept-Encoding that it was made for. */
  readonly forms: Map<string, { readonly encoding: string; readonly body: Buffer }> | undefined;
}

export const finished = (body: string, etag: string, link?: string): Finished => ({
  body,
  etag,
  link,
  forms: undefined,
});

/** What an entry costs beside its body. Compressed forms, which are a fraction of it, are not counted. */
const overheadBytes = 1_024;
/** Keys remembered of answers that were asked for once. */
const askedOnce = 20_000;

/**
 * Finished answers, kept while what they were made from stands, within a limit of bytes; the one that was
 * unused for longest goes first. An answer is kept from the second time on: a page that is read once, as most
 * are in a walk through the directory, would only push out others, and outlive the cheap kind of collection.
 */
export class FinishedAnswers {
  readonly #maximumBytes: number;
  readonly #answers = new Map<string, Finished>();
  readonly #asked = new Set<string>();
  #stamp: string | undefined;
  #bytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** The answer kept under this very stamp. Without a stamp nothing is ever kept. */
  get(key: string, stamp: string | undefined): Finished | undefined {
    if (stamp === undefined || stamp !== this.#stamp) return undefined;
    const found = this.#answers.get(key);
    // One that is asked for often stays young; moving it every time would cost more than it brings.
    if (found && this.#bytes > this.#maximumBytes / 2) {
      this.#answers.delete(key);
      this.#answers.set(key, found);
    }
    return found;
  }

  put(key: string, stamp: string | undefined, answer: Finished): void {
    if (stamp === undefined) return;
    if (stamp !== this.#stamp) this.#forget(stamp);
    if (!this.#asked.delete(key)) {
      if (this.#asked.size >= askedOnce) this.#asked.clear();
      this.#asked.add(key);
      return;
    }
    const kept = { ...answer, body: Buffer.from(answer.body), forms: new Map() };
    this.#remove(key);
    this.#answers.set(key, kept);
    this.#bytes += kept.body.length + overheadBytes;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maximumBytes) break;
      this.#remove(oldest);
    }
  }

  #forget(stamp: string): void {
    this.#answers.clear();
    this.#asked.clear();
    this.#bytes = 0;
    this.#stamp = stamp;
  }

  #remove(key: string): void {
    const kept = this.#answers.get(key);
    if (!kept) return;
    this.#answers.delete(key);
    this.#bytes -= kept.body.length + overheadBytes;
  }
}
