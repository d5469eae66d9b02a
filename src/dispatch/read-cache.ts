import { LRUCache } from 'lru-cache';

/** Secrets are not kept in memory for longer than the keys of people. */
const keptMs = 60_000;

/**
 * What never changes once it was read, kept for a while so that it is not read for each of many deliveries: the event
 * that they tell of, the secret of one version.
 */
export class ReadCache<Value extends object | string> {
  readonly #values: LRUCache<string, Value>;

  constructor(most: number, now: () => number = () => performance.now()) {
    this.#values = new LRUCache({ max: most, ttl: keptMs, ttlResolution: 0, perf: { now } });
  }

  /** What is kept under a key, else what is read; undefined is not kept. */
  async of(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const value = await read();
    if (value !== undefined) this.#values.set(key, value);
    return value;
  }
}
