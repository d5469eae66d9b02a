import { LRUCache } from 'lru-cache';
import { StoreError } from '../../../stores/errors.ts';
import { StampedCache } from './stamped-cache.ts';

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
/** This part of the limit is for the keys of responses that were asked for. */
const askedShare = 1 / 8;

/**
 * Responses, kept while what they were made from stands, within a limit of bytes that counts their keys too; the
 * one that was unused for longest goes first. A response is kept from the second time on that it is made, under
 * whatever stamp: a page that is read once, as most are in a walk through the directory, would only push out others,
 * and outlive the cheap kind of collection.
 */
export class ResponseCache {
  readonly #responses: StampedCache<CachedResponse>;
  readonly #asked: LRUCache<string, true>;

  constructor(maximumBytes: number) {
    this.#responses = new StampedCache({
      maxSize: Math.floor(maximumBytes * (1 - askedShare)),
      sizeCalculation: ({ body }, key) => body.length + bytesOfText(key) + overheadBytes,
    });
    this.#asked = new LRUCache({
      maxSize: Math.floor(maximumBytes * askedShare),
      sizeCalculation: (_, key) => bytesOfText(key) + keyOverheadBytes,
    });
  }

  /** The response kept under this very stamp. Without a stamp nothing is ever kept. */
  get(key: string, stamp: string | undefined): CachedResponse | undefined {
    return this.#responses.get(key, stamp);
  }

  put(key: string, stamp: string | undefined, response: CachedResponse): void {
    if (stamp === undefined) return;
    this.#responses.dropUnlessUnder(stamp);
    if (this.#asked.get(key)) {
      this.#responses.put(key, stamp, { ...response, body: Buffer.from(response.body), forms: new Map() });
    } else {
      this.#asked.set(key, true);
    }
  }
}

/** At most: a string of Latin letters takes half of it. */
const bytesOfText = (text: string): number => 2 * text.length;
