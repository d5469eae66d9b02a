import { randomBytes } from 'node:crypto';
import { HmacKey } from '../../ground/keyed-hash.ts';
import { StoreError } from '../../stores/errors.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { formatToken, parseToken, type Token } from './token-format.ts';

/** How long a key authenticates new tokens before the next one replaces it, in seconds. */
export const tokenKeyLifeSeconds = 90 * 86_400;
/** How long a key is in the vault before it is used, so that every process has read it, in seconds. */
const aheadSeconds = 600;
/** How long a process uses its copy of the keys, in milliseconds. */
const believedMs = 60_000;
/** How long an unknown key id is not looked for again, in milliseconds. */
const missesRememberedMs = 10_000;

const prefix = 'token-key/';

/**
 * The keys that authenticate codes and tokens. They are in the vault as `token-key/{id}`. The id is the second from
 * which the key is used, in hex, so every process uses the same one. Copies are at most a minute old, so a key that
 * was deleted from the vault soon stops working.
 */
export class TokenKeys {
  readonly #vault: Vault;
  readonly #now: () => number;
  readonly #onReplaced: (id: string) => unknown;
  #keys: ReadonlyMap<string, HmacKey> = new Map();
  #readAt = -Infinity;
  #missedAt = -Infinity;

  /** `now`: Unix milliseconds. `onReplaced`: called by each process that makes the next key. Nobody waits for it. */
  constructor(
    vault: Vault,
    now: () => number = Date.now,
    onReplaced: (id: string) => unknown = () => undefined,
  ) {
    this.#onReplaced = onReplaced;
    this.#vault = vault;
    this.#now = now;
  }

  /** The id of the key for new tokens. Makes a key when there is none, and the next one in good time. */
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

  /**
   * The token in clear, authenticated by the key that it names.
   * @throws StoreError unavailable, when that key is gone
   */
  async write(token: Token): Promise<string> {
    const key = await this.#keyOf(token.keyId);
    if (!key) throw new StoreError('unavailable', `The token key ${token.keyId} is no longer in the vault.`);
    return formatToken(token, key);
  }

  /** The content of a token of ours, of any kind. Undefined for other texts and forgeries. */
  async read(text: string): Promise<Token | undefined> {
    const claimed = parseToken(text);
    if (!claimed) return undefined;
    const key = await this.#keyOf(claimed.token.keyId);
    return key && claimed.authentic(key) ? claimed.token : undefined;
  }

  /** Makes a key that is used from now on. */
  async rotate(): Promise<string> {
    return this.#make(Math.floor(this.#now() / 1_000));
  }

  /** Deletes keys that were replaced before the longest refresh lifetime (seconds): all their tokens have expired. */
  async forget(longestLifeSeconds: number): Promise<readonly string[]> {
    const until = Math.floor(this.#now() / 1_000) - longestLifeSeconds;
    const ids = [...(await this.#all()).keys()].sort();
    // The last key that began before the limit was still in use at the limit.
    const old = ids.filter((id) => Number.parseInt(id, 16) <= until).slice(0, -1);
    for (const id of old) await this.#vault.delete(prefix + id);
    await this.#read();
    return old;
  }

  async #make(second: number): Promise<string> {
    const id = second.toString(16).padStart(8, '0');
    const isFirst = this.#keys.size === 0;
    await this.#vault.putIfAbsent(prefix + id, randomBytes(32));
    await this.#read();
    if (!isFirst) this.#onReplaced(id);
    return id;
  }

  async #keyOf(id: string): Promise<HmacKey | undefined> {
    const cached = (await this.#all()).get(id);
    if (cached || this.#now() - this.#missedAt < missesRememberedMs) return cached;
    await this.#read();
    const found = this.#keys.get(id);
    if (!found) this.#missedAt = this.#now();
    return found;
  }

  async #all(): Promise<ReadonlyMap<string, HmacKey>> {
    if (this.#now() - this.#readAt >= believedMs) await this.#read();
    return this.#keys;
  }

  async #read(): Promise<void> {
    const readAt = this.#now();
    const found = new Map<string, HmacKey>();
    for (const name of await this.#vault.names(prefix)) {
      const secret = await this.#vault.get(name);
      if (secret) found.set(name.slice(prefix.length), new HmacKey(secret));
    }
    this.#keys = found;
    this.#readAt = readAt;
  }
}
