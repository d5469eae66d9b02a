import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { DerivedKeys, type MasterKey } from './master-key.ts';

/**
 * Hashes that nobody can make or check without the master key, for one purpose (HMAC with SHA-256, base64url): names
 * for what must not be stored in clear, and signs that only we can have given out.
 */
export class KeyedHash {
  readonly #keys: DerivedKeys<KeyObject>;

  constructor(masterKey: MasterKey, purpose: string) {
    this.#keys = new DerivedKeys(masterKey, purpose, createSecretKey);
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

const hashOf = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');
