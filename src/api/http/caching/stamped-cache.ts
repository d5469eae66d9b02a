import { LRUCache } from 'lru-cache';
import { entries } from './capacity.ts';

/** The capacity: a number of values, or a number of bytes of all values. */
type Capacity<Value> =
  | { readonly max: number }
  | { readonly maxSize: number; readonly sizeCalculation: (value: Value, key: string) => number };

/**
 * Values made from read models in one state, which their stamp names. Under another stamp they are dropped, and
 * without a stamp nothing is cached. The least recently used value is dropped first.
 */
export class StampedCache<Value extends object | number | true> {
  readonly #values: LRUCache<string, Value>;
  #stamp: string | undefined;

  constructor(capacity: Capacity<Value>) {
    this.#values = new LRUCache('max' in capacity ? entries(capacity.max) : capacity);
  }

  get(key: string, stamp: string | undefined): Value | undefined {
    return stamp === undefined || stamp !== this.#stamp ? undefined : this.#values.get(key);
  }

  put(key: string, stamp: string | undefined, value: Value): void {
    if (stamp === undefined) return;
    this.dropUnlessUnder(stamp);
    this.#values.set(key, value);
  }

  /** Drops values under another stamp, when no `put` will do it soon. */
  dropUnlessUnder(stamp: string): void {
    if (stamp !== this.#stamp) this.#values.clear();
    this.#stamp = stamp;
  }
}
