/** Secrets are not kept in memory for longer than the keys of people. */
const keptMs = 60_000;

/**
 * What never changes once it was read, kept for a while so that it is not read for each of many deliveries: the event
 * that they tell of, the secret of one version.
 */
export class Recent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What is kept under a key, else what is read; undefined is not kept. */
  async of(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const now = performance.now();
    const kept = this.#values.get(key);
    if (kept && now < kept.until) return kept.value;
    const value = await read();
    if (value === undefined) return undefined;
    if (this.#values.size >= this.#most) this.#values.clear();
    this.#values.set(key, { value, until: now + keptMs });
    return value;
  }
}
