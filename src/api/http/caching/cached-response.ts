import { StoreError } from '../../../stores/errors.ts';

/** A response that is ready to be sent, as long as what it was made from stands. */
export interface CachedResponse {
  /** Bytes where it is kept, which are sent without being encoded again. */
  readonly body: string | Buffer;
  readonly etag: string;
  /** The Link header, where there is one. */
  readonly link: string | undefined;
  /** Of a response that is kept: compressed, by the Accept-Encoding that it was made for. */
  readonly forms: Map<string, { readonly encoding: string; readonly body: Buffer }> | undefined;
}

/**
 * A response joined from JSON that a read model holds as text.
 * @throws StoreError incompatible when that is no JSON: it is damaged, and must not be served as an answer
 */
export function responseOf(body: string, etag: string, link?: string): CachedResponse {
  try {
    // 0.4 ms for a page of a hundred (40 KB) on a busy machine, once for each page that is made.
    JSON.parse(body);
  } catch {
    throw new StoreError(
      'incompatible',
      'A record in the read model resources is damaged; `rebuild resources` mends it.',
    );
  }
  return { body, etag, link, forms: undefined };
}

/** What an entry costs beside its key and body. Compressed forms, which are a fraction of it, are not counted. */
const overheadBytes = 1_024;
/** What a key costs that is remembered alone. */
const keyOverheadBytes = 128;
/** Up to this part of the limit goes to the keys of responses that were asked for once. */
const askedOnceShare = 1 / 8;

/**
 * Responses, kept while what they were made from stands, within a limit of bytes that counts their keys too; the
 * one that was unused for longest goes first. A response is kept from the second time on: a page that is read once,
 * as most are in a walk through the directory, would only push out others, and outlive the cheap kind of collection.
 */
export class ResponseCache {
  readonly #maximumBytes: number;
  readonly #responses = new Map<string, CachedResponse>();
  readonly #asked = new Set<string>();
  #stamp: string | undefined;
  #bytes = 0;
  #askedBytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** The response kept under this very stamp. Without a stamp nothing is ever kept. */
  get(key: string, stamp: string | undefined): CachedResponse | undefined {
    if (stamp === undefined || stamp !== this.#stamp) return undefined;
    const found = this.#responses.get(key);
    // One that is asked for often stays young; moving it every time would cost more than it brings.
    if (found && this.#bytes > this.#maximumBytes / 2) {
      this.#responses.delete(key);
      this.#responses.set(key, found);
    }
    return found;
  }

  put(key: string, stamp: string | undefined, response: CachedResponse): void {
    if (stamp === undefined) return;
    if (stamp !== this.#stamp) this.#forget(stamp);
    if (!this.#wasAsked(key)) return;
    const kept = { ...response, body: Buffer.from(response.body), forms: new Map() };
    this.#remove(key);
    this.#responses.set(key, kept);
    this.#bytes += bytesOf(key, kept);
    for (const oldest of this.#responses.keys()) {
      if (this.#bytes + this.#askedBytes <= this.#maximumBytes) break;
      this.#remove(oldest);
    }
  }

  /** Whether a key was asked for before under this stamp; the next time it was. */
  #wasAsked(key: string): boolean {
    const cost = keyOverheadBytes + bytesOfText(key);
    if (this.#asked.delete(key)) {
      this.#askedBytes -= cost;
      return true;
    }
    if (this.#askedBytes + cost > this.#maximumBytes * askedOnceShare) {
      this.#asked.clear();
      this.#askedBytes = 0;
    }
    this.#asked.add(key);
    this.#askedBytes += cost;
    return false;
  }

  #forget(stamp: string): void {
    this.#responses.clear();
    this.#asked.clear();
    this.#bytes = 0;
    this.#askedBytes = 0;
    this.#stamp = stamp;
  }

  #remove(key: string): void {
    const kept = this.#responses.get(key);
    if (!kept) return;
    this.#responses.delete(key);
    this.#bytes -= bytesOf(key, kept);
  }
}

const bytesOf = (key: string, { body }: CachedResponse): number =>
  body.length + bytesOfText(key) + overheadBytes;

/** At most: a string of Latin letters takes half of it. */
const bytesOfText = (text: string): number => 2 * text.length;
