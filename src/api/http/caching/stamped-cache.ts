import { LRUCache } from 'lru-cache';

/** How much is kept: so many values, or values of so many bytes together. */
type Capacity<Value> =
  | { readonly max: number }
  | { readonly maxSize: number; readonly sizeCalculation: (value: Value, key: string) => number };

/**
 * Values that were made from read models in one state, which their stamp names. Under another stamp they are dropped,
 * and without a stamp nothing is kept. Of too many, the one that was unused for longest goes.
 */
export class StampedCache<Value extends object | number | true> {
  readonly #values: LRUCache<string, Value>;
  #stamp: string | undefined;

  constructor(capacity: Capacity<Value>) {
    this.#values = new LRUCache(capacity);
  }

  get(key: string, stamp: string | undefined): Value | undefined {
    return stamp === undefined || stamp !== this.#stamp ? undefined : this.#values.get(key);
  }

  put(key: string, stamp: string | undefined, value: Value): void {
    if (stamp === undefined) return;
    this.dropUnlessUnder(stamp);
    this.#values.set(key, value);
  }

  /** Drops what was kept under another stamp, where a `put` would not do it soon. */
  dropUnlessUnder(stamp: string): void {
    if (stamp !== this.#stamp) this.#values.clear();
    this.#stamp = stamp;
  }
}
