import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { StoreError } from '../../stores/errors.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { formatToken, parseToken, type Token } from './token-format.ts';

/** What the newest key may authenticate before another takes over, in seconds. */
export const tokenKeyLifeSeconds = 90 * 86_400;
/** How long before it takes over a key lies in the vault, so that every process has read it, in seconds. */
const aheadSeconds = 600;
/** How long keys are believed to be all there are, in milliseconds. */
const believedMs = 60_000;
/** How long an unknown key's id is not looked for again, in milliseconds. */
const missesRememberedMs = 10_000;

const prefix = 'token-key/';

/**
 * The keys that authenticate codes and tokens. They lie in the vault as `token-key/{id}`, the id being the
 * second from which a key is used, in hex; so every process uses the same one. Its copies here are at most a
 * minute old: a key that was deleted from the vault is soon believed no more.
 */
export class TokenKeys {
  readonly #vault: Vault;
  readonly #now: () => number;
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #readAt = -Infinity;
  #missedAt = -Infinity;

  /** `now`: Unix milliseconds. */
  constructor(vault: Vault, now: () => number = Date.now) {
    this.#vault = vault;
    this.#now = now;
  }

  /** The id of the key for what is issued now. Makes one where there is none, and the next one in good time. */
  async current(): Promise<string> {
    const second = Math.floor(this.#now() / 1_000);
    const newestUntil = async (until: number) =>
      [...(await this.#all()).keys()].sort().findLast((id) => Number.parseInt(id, 16) <= until);
    const coming = await newestUntil(second + aheadSeconds);
    if (coming === undefined) await this.#make(second);
    else if (Number.parseInt(coming, 16) + tokenKeyLifeSeconds <= second + aheadSeconds) {
      await this.#make(second + aheadSeconds);
    }
    const current = await newestUntil(second);
    if (current === undefined)
      throw new Error('There is no token key that may be used yet; is the clock right?');
    return current;
  }

  /** The token in clear, under the key that it names. @throws StoreError unavailable, where that key is gone */
  async write(token: Token): Promise<string> {
    const key = await this.#keyOf(token.keyId);
    if (!key) throw new StoreError('unavailable', `The token key ${token.keyId} is no longer in the vault.`);
    return formatToken(token, key);
  }

  /** What a text says when it is a token that we made, of whatever kind; undefined for rubbish and forgeries. */
  async read(text: string): Promise<Token | undefined> {
    const claimed = parseToken(text);
    if (!claimed) return undefined;
    const key = await this.#keyOf(claimed.token.keyId);
    return key && claimed.authentic(key) ? claimed.token : undefined;
  }

  /** Makes a key that is used from this second on. */
  async rotate(): Promise<string> {
    return this.#make(Math.floor(this.#now() / 1_000));
  }

  /** Deletes keys that were replaced longer ago than the longest refresh life, in seconds: none of their tokens lives. */
  async forget(longestLifeSeconds: number): Promise<readonly string[]> {
    const until = Math.floor(this.#now() / 1_000) - longestLifeSeconds;
    const ids = [...(await this.#all()).keys()].sort();
    // The last one that began before the limit was still in use at the limit.
    const old = ids.filter((id) => Number.parseInt(id, 16) <= until).slice(0, -1);
    for (const id of old) await this.#vault.delete(prefix + id);
    await this.#read();
    return old;
  }

  async #make(second: number): Promise<string> {
    const id = second.toString(16).padStart(8, '0');
    await this.#vault.putIfAbsent(prefix + id, randomBytes(32));
    await this.#read();
    return id;
  }

  async #keyOf(id: string): Promise<KeyObject | undefined> {
    const known = (await this.#all()).get(id);
    if (known || this.#now() - this.#missedAt < missesRememberedMs) return known;
    await this.#read();
    const found = this.#keys.get(id);
    if (!found) this.#missedAt = this.#now();
    return found;
  }

  async #all(): Promise<ReadonlyMap<string, KeyObject>> {
    if (this.#now() - this.#readAt >= believedMs) await this.#read();
    return this.#keys;
  }

  async #read(): Promise<void> {
    const readAt = this.#now();
    const found = new Map<string, KeyObject>();
    for (const name of await this.#vault.names(prefix)) {
      const secret = await this.#vault.get(name);
      if (secret) found.set(name.slice(prefix.length), createSecretKey(secret));
    }
    this.#keys = found;
    this.#readAt = readAt;
  }
}
