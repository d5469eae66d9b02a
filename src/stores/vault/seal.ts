import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { StoreError } from '../errors.ts';

/** A 256-bit key for one purpose, derived from the master key or a data key (HKDF-SHA-256, RFC 5869). */
export function derivedKey(key: SealingKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'commonweal', purpose, 32));
}

export type SealingKey = KeyObject | Uint8Array;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. The name is additional authenticated data, so that one
 * sealed secret cannot be exchanged for another. Layout: nonce (12) ‖ tag (16) ‖ ciphertext.
 *
 * Callers that open often should pass a KeyObject: opening takes 2 µs with it and 16 µs with raw bytes.
 */
export function seal(key: SealingKey, name: string, secret: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(name));
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws StoreError incompatible, when the key is wrong or the bytes were changed or truncated */
export function unseal(key: SealingKey, name: string, sealed: Uint8Array): Buffer {
  try {
    if (sealed.length < nonceBytes + tagBytes)
      throw new Error(`${sealed.length} bytes are too few for a sealed secret.`);
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const secret = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    // Checks the tag. Returns no bytes: GCM is a stream cipher.
    decipher.final();
    return secret;
  } catch (cause) {
    throw new StoreError(
      'incompatible',
      `The secret ${name} cannot be opened: MASTER_KEY is not the one it was sealed with.`,
      {
        cause,
      },
    );
  }
}

/** The keys under which data may be sealed while the master key is rotated. */
export interface KeyRing {
  /** The first seals, each opens. The same array as long as nothing has changed. */
  keys(): readonly [Uint8Array, ...Uint8Array[]];
  /** Looks at once whether there are other keys. */
  refresh(): void;
}

/** The master key; as a ring where it can be rotated. */
export type MasterKey = Uint8Array | KeyRing;

/** A ring of keys that do not change. */
export const keyRing = (...keys: [Uint8Array, ...Uint8Array[]]): KeyRing => ({
  keys: () => keys,
  refresh: () => undefined,
});

export const masterKeys = (master: MasterKey): readonly [Uint8Array, ...Uint8Array[]] =>
  master instanceof Uint8Array ? [master] : master.keys();

/** Tells master keys apart without saying anything about them: 64 bits derived from the key. */
export const keyIdOf = (key: Uint8Array): string => derivedKey(key, 'key id').subarray(0, 8).toString('hex');

/** Keys derived for one purpose from each key of the master key, made anew when that is rotated. */
export class DerivedKeys<Key> {
  readonly #master: MasterKey;
  readonly #purpose: string;
  readonly #make: (derived: Buffer) => Key;
  #from: readonly Uint8Array[] | undefined;
  #derived: readonly [Key, ...Key[]] | undefined;

  constructor(master: MasterKey, purpose: string, make: (derived: Buffer) => Key) {
    this.#master = master;
    this.#purpose = purpose;
    this.#make = make;
  }

  /** The first is the one to use for what is new. What was made under any of them is accepted. */
  all(): readonly [Key, ...Key[]] {
    const from = this.#master instanceof Uint8Array ? this.#from : this.#master.keys();
    if (this.#derived && from === this.#from) return this.#derived;
    this.#from = from;
    const derive = (key: Uint8Array) => this.#make(derivedKey(key, this.#purpose));
    const [current, ...others] = masterKeys(this.#master);
    return (this.#derived = [derive(current), ...others.map(derive)]);
  }

  get current(): Key {
    return this.all()[0];
  }

  /** Looks at once whether the master key was rotated. */
  refresh(): void {
    if (!(this.#master instanceof Uint8Array)) this.#master.refresh();
  }
}

/** Seals under the newest key and opens with each, for one purpose. */
export class Sealer {
  readonly #keys: DerivedKeys<KeyObject>;

  constructor(master: MasterKey, purpose: string) {
    this.#keys = new DerivedKeys(master, purpose, createSecretKey);
  }

  seal(name: string, secret: Uint8Array): Buffer {
    return seal(this.#keys.current, name, secret);
  }

  /** @throws StoreError incompatible, when no key opens it */
  unseal(name: string, sealed: Uint8Array): Buffer {
    const found = this.#opened(name, sealed);
    if (found) return found;
    // Sealed by another process, with a key that is newer than this one's last look.
    this.#keys.refresh();
    return this.#opened(name, sealed) ?? unseal(this.#keys.current, name, sealed);
  }

  /** The same secret under the newest key. Undefined when it is sealed under that already. @throws StoreError */
  resealed(name: string, sealed: Uint8Array): Buffer | undefined {
    try {
      unseal(this.#keys.current, name, sealed);
      return undefined;
    } catch {
      return this.seal(name, this.unseal(name, sealed));
    }
  }

  #opened(name: string, sealed: Uint8Array): Buffer | undefined {
    for (const key of this.#keys.all()) {
      try {
        return unseal(key, name, sealed);
      } catch {
        // Perhaps the next one opens it.
      }
    }
    return undefined;
  }
}
