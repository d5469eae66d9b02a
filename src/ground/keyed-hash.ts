import { hash, timingSafeEqual } from 'node:crypto';
import { DerivedKeys, type MasterKey } from './master-key.ts';

/**
 * Hashes that nobody can make or check without the master key, for one purpose (HMAC with SHA-256, base64url): names
 * for what must not be stored in clear, and signs that only we can have given out.
 */
export class KeyedHash {
  readonly #keys: DerivedKeys<HmacKey>;

  constructor(masterKey: MasterKey, purpose: string) {
    this.#keys = new DerivedKeys(masterKey, purpose, (key) => new HmacKey(key));
  }

  of(text: string): string {
    return hashOf(this.#keys.current, text);
  }

  /** The hashes under each key that may have been used, the newest first. */
  all(text: string): string[] {
    return this.#keys.all().map((key) => hashOf(key, text));
  }

  /** Whether it is the hash of this text under one of the keys. */
  isOf(text: string, hash: string): boolean {
    const presented = Buffer.from(hash);
    return this.all(text).some(
      (each) => presented.length === each.length && timingSafeEqual(presented, Buffer.from(each)),
    );
  }
}

const hashOf = (key: HmacKey, text: string): string => key.of(Buffer.from(text)).toString('base64url');

const blockBytes = 64;

/**
 * HMAC with SHA-256 (RFC 2104) under one key, of at most a block. Two thirds of the cost of `createHmac`, whose objects
 * must be made for each text, and collected.
 */
export class HmacKey {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  constructor(key: Uint8Array) {
    if (key.length > blockBytes)
      throw new Error(`A key of ${key.length} bytes would have to be hashed first.`);
    this.#inner = padded(key, 0x36);
    this.#outer = padded(key, 0x5c);
  }

  of(...content: readonly Uint8Array[]): Buffer {
    const inner = hash('sha256', Buffer.concat([this.#inner, ...content]), 'buffer');
    return hash('sha256', Buffer.concat([this.#outer, inner]), 'buffer');
  }
}

const padded = (key: Uint8Array, padding: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: blockBytes }, (_, place) => (key[place] ?? 0) ^ padding));
