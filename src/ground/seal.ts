import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { DerivedKeys, type MasterKey, type SealingKey } from './master-key.ts';
import { StoreError } from './store-error.ts';

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

/**
 * A value that travels through a browser and comes back. Nobody can read it, change it, or use it for another purpose
 * or after its time. So nothing is stored for people who never come back.
 */
export class SealedValue<Value> {
  readonly #sealer: Sealer;
  readonly #purpose: string;
  readonly #seconds: number;

  /** The key is derived from the master key, so every node can open what another has sealed. */
  constructor(masterKey: MasterKey, purpose: string, seconds: number) {
    this.#sealer = new Sealer(masterKey, purpose);
    this.#purpose = purpose;
    this.#seconds = seconds;
  }

  seal(value: Value, at: Date): string {
    const content = JSON.stringify([at.getTime() + this.#seconds * 1_000, value]);
    return this.#sealer.seal(this.#purpose, Buffer.from(content)).toString('base64url');
  }

  /** Undefined for a text that was not sealed here, and for an expired one. */
  open(text: string, at: Date): Value | undefined {
    const sealed = Buffer.from(text, 'base64url');
    // Shorter than a nonce and a tag: it would be opened with a shortened tag.
    if (sealed.length <= nonceBytes + tagBytes) return undefined;
    let content: Buffer;
    try {
      content = this.#sealer.unseal(this.#purpose, sealed);
    } catch {
      return undefined;
    }
    const [until, value] = JSON.parse(content.toString()) as [number, Value];
    return at.getTime() <= until ? value : undefined;
  }
}
