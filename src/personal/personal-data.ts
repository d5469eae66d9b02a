import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { entries } from '../ground/capacity.ts';
import { derivedKey } from '../ground/master-key.ts';
import { seal, unseal } from '../ground/seal.ts';
import type { ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';
import type { Vault } from '../stores/vault/port.ts';
import { normalAddress } from '../events/accounts/email-address.ts';
import type { Holder } from './holder.ts';
import { trustedForMs, type KeyCache, type KeyCaches } from './key-caches.ts';

export type { Holder } from './holder.ts';

export const personOf = (userId: string): Holder => `person/${userId}`;
export const resourcePersonOf = (person: string): Holder => `resource-person/${person}`;
export const formOfficeOf = (office: string): Holder => `form-office/${office}`;
export const agencyContactOf = (contact: string): Holder => `agency-contact/${contact}`;
export const claimOf = (dataKey: string): Holder => `claim/${dataKey}`;
export const formSubmissionOf = (submission: string): Holder => `form-submission/${submission}`;

/** A value sealed under the data key of its holder. */
export interface SealedValue {
  readonly holder: Holder;
  readonly sealed: string;
}

/** The holder has no data key: it was never created, or the person is erased. */
export class NoDataKey extends Error {
  constructor() {
    super('There is no data key: the person is erased.');
    this.name = 'NoDataKey';
  }
}

/**
 * How long data keys are cached, in milliseconds. A process that serves drops a key that was destroyed elsewhere at
 * once (see `KeyCaches`); a command, which is over soon, uses it for a few seconds.
 */
const openedMs = 59_000;
const openedByCommandMs = trustedForMs;
/** A read that began before a key was destroyed must not cache it afterwards. */
const droppedMs = 120_000;
/** The most opened values of one data key, and the longest of them: a profile and an address. */
const openedTexts = 4;
const longestText = 1_000;
/** The most data keys in the cache. */
const openedKeys = 10_000;

/**
 * Crypto-shredding: personal data is sealed with a data key per person, stored in the vault as `person/{id}`.
 * Deleting the key erases the person from every event and read model at once. Erased data reads as undefined.
 */
export class PersonalData implements KeyCache {
  readonly #vault: Vault;
  readonly #ledger: Pick<ErasureLedger, 'record' | 'ready'> | undefined;
  readonly #opened: LRUCache<Holder, KeyObject>;
  /** By data key and purpose: kept as long as the data key. Deriving one takes longer than the rest of a digest. */
  readonly #derived = new WeakMap<KeyObject, Map<string, KeyObject>>();
  /** By data key and sealed text, what was opened lately: kept as long as the data key. */
  readonly #texts = new WeakMap<KeyObject, Map<string, string>>();
  readonly #toBegin = new Set<Holder>();
  readonly #caches: KeyCaches | undefined;
  readonly #now: () => number;
  readonly #dropped: LRUCache<Holder, true>;
  /** Until when cached keys may be used. Undefined: nobody keeps the cache fresh. */
  #freshUntil: number | undefined;
  #beginning: Promise<void> | undefined;
  #indexKey: Uint8Array | undefined;

  /**
   * `now`: monotonic milliseconds. `ledger`: where erasures are recorded, so that no backup undoes them. `caches`: of the
   * other processes.
   */
  constructor(
    vault: Vault,
    now: () => number = () => performance.now(),
    ledger?: Pick<ErasureLedger, 'record' | 'ready'>,
    caches?: KeyCaches,
  ) {
    this.#vault = vault;
    this.#ledger = ledger;
    this.#caches = caches;
    this.#now = now;
    this.#opened = new LRUCache({ ...entries(openedKeys), ttl: openedMs, ttlResolution: 0, perf: { now } });
    this.#dropped = new LRUCache({ ...entries(openedKeys), ttl: droppedMs, ttlResolution: 0, perf: { now } });
  }

  /** Drops what other processes destroy, until the signal aborts. For processes that serve. */
  async keepFresh(signal: AbortSignal, succeeded?: () => void): Promise<void> {
    if (this.#caches) return this.#caches.keepFresh(this, signal, succeeded);
    if (!signal.aborted) await once(signal, 'abort');
  }

  drop(holder: Holder): void {
    this.#dropped.set(holder, true);
    this.#opened.delete(holder);
  }

  dropAll(): void {
    this.#opened.clear();
    this.#freshUntil = this.#now();
  }

  beginRefresh(): () => void {
    const until = this.#now() + trustedForMs;
    return () => {
      this.#freshUntil = until;
    };
  }

  /**
   * Creates the holder's data key unless it exists. Those that are asked for in one turn of the event loop are stored
   * with one write: embedded, each write waits for the disk.
   */
  begin(holder: Holder): Promise<void> {
    this.#toBegin.add(holder);
    return (this.#beginning ??= this.#beginAll());
  }

  async #beginAll(): Promise<void> {
    await setImmediate();
    const keys = new Map([...this.#toBegin].map((holder) => [holder, randomBytes(32)]));
    this.#toBegin.clear();
    this.#beginning = undefined;
    await this.#vault.putAllIfAbsent(keys);
  }

  /** To be asked before an erasure is decided. @throws StoreError, when the erasure ledger cannot be written */
  async readyToErase(): Promise<void> {
    await this.#ledger?.ready();
  }

  /**
   * Deletes the holder's data key for good. Everything sealed with it becomes unreadable: when this resolves, in every
   * process that serves. A process that is cut off from the stores stops using it by itself within seconds. `event`: the
   * id of the event that says so.
   */
  async erase(holder: Holder, event?: string): Promise<void> {
    await this.destroy(holder, event);
    await this.untilNobodyReads(holder);
  }

  /** Resolves when no process that serves uses the data key any more, which is deleted. */
  async untilNobodyReads(holder: Holder): Promise<void> {
    await this.#caches?.untilDropped(holder);
  }

  /**
   * Deletes the data key without waiting for other processes, which can open what it sealed for up to a minute. The
   * erasure ledger has it first: whatever happens afterwards, the next start finishes it.
   */
  async destroy(holder: Holder, event?: string): Promise<void> {
    const at = new Date().toISOString();
    await this.#ledger?.record({ holder, at, ...(event === undefined ? {} : { event }) });
    await this.discard(holder);
  }

  /**
   * Deletes a data key without saying so: one that was begun for a command that was refused, whose holder may come to
   * be after all, or one that is in the ledger already.
   */
  async discard(holder: Holder): Promise<void> {
    this.drop(holder);
    await this.#vault.delete(holder);
  }

  /** Seals a JSON value. @throws NoDataKey */
  async seal(holder: Holder, value: unknown): Promise<string> {
    const key = await this.#keyOf(holder);
    if (!key) throw new NoDataKey();
    return seal(key, holder, Buffer.from(JSON.stringify(value))).toString('base64url');
  }

  /**
   * Opens a sealed value. Undefined when the holder is erased. @throws StoreError incompatible, for data of another
   * holder or damaged data
   */
  async open<Value>(holder: Holder, sealed: string): Promise<Value | undefined> {
    const key = await this.#keyOf(holder);
    return key && (JSON.parse(this.#textOf(key, { holder, sealed })) as Value);
  }

  /**
   * Opens many sealed values, with one read of the vault for all data keys that are not cached. Undefined for a value
   * that there is not. @throws as `open`
   */
  async openMany(
    values: readonly { readonly holder: Holder; readonly sealed: string | undefined }[],
  ): Promise<unknown[]> {
    const holders = [
      ...new Set(values.flatMap(({ holder, sealed }) => (sealed === undefined ? [] : holder))),
    ];
    const keys = new Map(holders.map((holder) => [holder, this.#cached(holder)]));
    const unknown = holders.filter((holder) => !keys.get(holder));
    if (unknown.length > 0) {
      const secrets = await this.#vault.getMany(unknown);
      for (const holder of unknown) keys.set(holder, this.#keep(holder, secrets.get(holder)));
    }
    return values.map(({ holder, sealed }) =>
      sealed === undefined ? undefined : valueOf(keys.get(holder), { holder, sealed }),
    );
  }

  /**
   * HMAC-SHA256 of a text in hex, keyed with a key derived from the holder's data key. Undefined when the holder is
   * erased: from then on nobody can test what the text was. `purpose` separates the keys of different uses.
   */
  async keyedDigest(holder: Holder, purpose: string, text: string): Promise<string | undefined> {
    const key = await this.#keyOf(holder);
    return key && createHmac('sha256', this.#derivedKeyOf(key, purpose)).update(text).digest('hex');
  }

  /**
   * The blind index of an email address: a keyed hash in hex, used in the log. Undefined for an invalid address.
   * Its key is in the vault and is never rotated, because the uniqueness of addresses depends on it.
   */
  async emailIndex(address: string): Promise<string | undefined> {
    const normal = normalAddress(address);
    return normal === undefined ? undefined : this.blindIndex(normal);
  }

  /** A keyed hash in hex, by which equal texts are found. Its key is that of `emailIndex`. */
  async blindIndex(text: string): Promise<string> {
    this.#indexKey ??= await this.#vault.putIfAbsent('email-index', randomBytes(32));
    return createHmac('sha256', this.#indexKey).update(text).digest('hex');
  }

  async #keyOf(holder: Holder): Promise<KeyObject | undefined> {
    return this.#cached(holder) ?? this.#keep(holder, await this.#vault.get(holder));
  }

  #derivedKeyOf(key: KeyObject, purpose: string): KeyObject {
    const byPurpose = this.#derived.get(key) ?? new Map<string, KeyObject>();
    this.#derived.set(key, byPurpose);
    const derived = byPurpose.get(purpose) ?? createSecretKey(derivedKey(key, purpose));
    byPurpose.set(purpose, derived);
    return derived;
  }

  /** Whoever signs in at a site is asked for there, and then once more. To open a value takes ten times as long as to find it. */
  #textOf(key: KeyObject, value: SealedValue): string {
    const texts = this.#texts.get(key) ?? new Map<string, string>();
    this.#texts.set(key, texts);
    const before = texts.get(value.sealed);
    if (before !== undefined) return before;
    const text = opened(key, value);
    if (texts.size >= openedTexts) texts.clear();
    if (text.length <= longestText) texts.set(value.sealed, text);
    return text;
  }

  #cached(holder: Holder): KeyObject | undefined {
    const isFresh = this.#freshUntil === undefined || this.#now() < this.#freshUntil;
    return isFresh ? this.#opened.get(holder) : undefined;
  }

  #keep(holder: Holder, secret: Uint8Array | undefined): KeyObject | undefined {
    if (!secret) return undefined;
    const key = createSecretKey(secret);
    if (!this.#dropped.has(holder)) {
      const ttl = this.#freshUntil === undefined ? openedByCommandMs : openedMs;
      this.#opened.set(holder, key, { ttl });
    }
    return key;
  }
}

const opened = (key: KeyObject, { holder, sealed }: SealedValue): string =>
  unseal(key, holder, Buffer.from(sealed, 'base64url')).toString();

const valueOf = (key: KeyObject | undefined, value: SealedValue): unknown =>
  key && JSON.parse(opened(key, value));
