import { LRUCache } from 'lru-cache';
import { entries } from '../../../ground/capacity.ts';

/** The capacity: a number of values, or a number of bytes of all values. */
type Capacity<Value> =
  | { readonly max: number }
  | { readonly maxSize: number; readonly sizeCalculation: (value: Value, key: string) => number };

/**
 * Values made from read models in one state, which their stamp names. Under another stamp they are dropped, and
 * without a stamp nothing is cached. The least recently used value is dropped first. A request reads its stamp when it
 * begins and looks whether its value is cached: one that is slow must not drop what later ones have made.
 */
export class StampedCache<Value extends object | number | true> {
  readonly #values: LRUCache<string, Value>;
  #stamp: string | undefined;
  /** Of the request that began last, as far as is known. */
  #newest: string | undefined;

  constructor(capacity: Capacity<Value>) {
    this.#values = new LRUCache('max' in capacity ? entries(capacity.max) : capacity);
  }

  get(key: string, stamp: string | undefined): Value | undefined {
    if (stamp === undefined) return undefined;
    this.#newest = stamp;
    return stamp === this.#stamp ? this.#values.get(key) : undefined;
  }

  /** How many values are cached under a stamp. */
  countUnder(stamp: string | undefined): number {
    if (stamp === undefined) return 0;
    this.#newest = stamp;
    return stamp === this.#stamp ? this.#values.size : 0;
  }

  put(key: string, stamp: string | undefined, value: Value): void {
    if (stamp === undefined) return;
    this.dropUnlessUnder(stamp);
    if (stamp === this.#stamp) this.#values.set(key, value);
  }

  /** Drops values under another stamp, when no `put` will do it soon. Not for a stamp that is no longer the newest. */
  dropUnlessUnder(stamp: string): void {
    if (this.#newest !== undefined && stamp !== this.#newest) return;
    if (stamp !== this.#stamp) this.#values.clear();
    this.#stamp = stamp;
  }
}
