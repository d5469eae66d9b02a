import { LRUCache } from 'lru-cache';

/** Secrets are not cached for longer than data keys. */
const keptMs = 60_000;

/** A cache of immutable values that many deliveries need: their source event, and the secret of one version. */
export class ReadCache<Value extends object | string> {
  readonly #values: LRUCache<string, Value>;

  constructor(most: number, now: () => number = () => performance.now()) {
    this.#values = new LRUCache({ max: most, ttl: keptMs, ttlResolution: 0, perf: { now } });
  }

  /** The cached value of a key, else the result of `read`. Undefined is not cached. */
  async of(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const value = await read();
    if (value !== undefined) this.#values.set(key, value);
    return value;
  }
}
