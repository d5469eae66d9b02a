import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { seal, unseal } from '../stores/vault/seal.ts';
import type { Vault } from '../stores/vault/port.ts';
import { normalAddress } from './email-address.ts';

/** Whose data key something is sealed under: a person's, or an invitation's of its own. */
export type Holder = `person/${string}` | `invitation/${string}`;

export const personOf = (userId: string): Holder => `person/${userId}`;

/** The holder has no data key: never had one, or is erased. */
export class NoDataKey extends Error {
  constructor() {
    super('There is no data key: the person is erased.');
    this.name = 'NoDataKey';
  }
}

/** How long an opened data key is kept in memory, in milliseconds: an erasure reaches every process within a minute. */
const openedMs = 59_000;
/** Data keys kept in memory at most. */
const openedKeys = 10_000;

/**
 * Personal data: sealed under a data key for each person, which lies in the vault as `person/{id}`. Destroying
 * the key erases the person from every event and read model at once; what cannot be opened reads as undefined.
 */
export class PersonalData {
  readonly #vault: Vault;
  readonly #opened: LRUCache<Holder, KeyObject>;
  #indexKey: Uint8Array | undefined;

  /** `now`: milliseconds that only go forward matter, not which. */
  constructor(vault: Vault, now: () => number = () => performance.now()) {
    this.#vault = vault;
    this.#opened = new LRUCache({ max: openedKeys, ttl: openedMs, ttlResolution: 0, perf: { now } });
  }

  /** Makes the holder's data key, unless there is one. */
  async begin(holder: Holder): Promise<void> {
    await this.#vault.putIfAbsent(holder, randomBytes(32));
  }

  /** Destroys the holder's data key: nothing sealed under it is ever read again. */
  async erase(holder: Holder): Promise<void> {
    this.#opened.delete(holder);
    await this.#vault.delete(holder);
  }

  /** Seals a value that JSON can say. @throws NoDataKey */
  async seal(holder: Holder, value: unknown): Promise<string> {
    const key = await this.#keyOf(holder);
    if (!key) throw new NoDataKey();
    return seal(key, holder, Buffer.from(JSON.stringify(value))).toString('base64url');
  }

  /** What was sealed; undefined when the holder is erased. @throws StoreError incompatible, for another's or damaged data */
  async open<Value>(holder: Holder, sealed: string): Promise<Value | undefined> {
    const key = await this.#keyOf(holder);
    return key && (JSON.parse(unseal(key, holder, Buffer.from(sealed, 'base64url')).toString()) as Value);
  }

  /**
   * The keyed hash that names an email address in the log, hex; undefined for what is no address. Its key lies
   * in the vault and is never rotated: every address would be free again.
   */
  async emailIndex(address: string): Promise<string | undefined> {
    const normal = normalAddress(address);
    if (normal === undefined) return undefined;
    this.#indexKey ??= await this.#vault.putIfAbsent('email-index', randomBytes(32));
    return createHmac('sha256', this.#indexKey).update(normal).digest('hex');
  }

  async #keyOf(holder: Holder): Promise<KeyObject | undefined> {
    const opened = this.#opened.get(holder);
    if (opened) return opened;
    const secret = await this.#vault.get(holder);
    if (!secret) return undefined;
    const key = createSecretKey(secret);
    this.#opened.set(holder, key);
    return key;
  }
}
