import { createSecretKey, type KeyObject } from 'node:crypto';
import { derivedKey, seal, unseal } from '../../stores/vault/seal.ts';

/** What sealing adds: a nonce of 12 bytes and a tag of 16. */
const overheadBytes = 28;

/**
 * Something of ours that travels through a browser and comes back: nobody can read it, change it, or use it for
 * another purpose or after its time. So nothing has to be remembered of who never comes back.
 */
export class SealedParameter<Value> {
  readonly #key: KeyObject;
  readonly #purpose: string;
  readonly #seconds: number;

  /** The key is derived from the master key, so that every node opens what another sealed. */
  constructor(masterKey: Uint8Array, purpose: string, seconds: number) {
    this.#key = createSecretKey(derivedKey(masterKey, purpose));
    this.#purpose = purpose;
    this.#seconds = seconds;
  }

  seal(value: Value, at: Date): string {
    const content = JSON.stringify([at.getTime() + this.#seconds * 1_000, value]);
    return seal(this.#key, this.#purpose, Buffer.from(content)).toString('base64url');
  }

  /** Undefined for what was not sealed here, and for what took too long. */
  open(text: string, at: Date): Value | undefined {
    const sealed = Buffer.from(text, 'base64url');
    // Less than a nonce and a whole tag would be opened with what there is of the tag.
    if (sealed.length <= overheadBytes) return undefined;
    let content: Buffer;
    try {
      content = unseal(this.#key, this.#purpose, sealed);
    } catch {
      return undefined;
    }
    const [until, value] = JSON.parse(content.toString()) as [number, Value];
    return at.getTime() <= until ? value : undefined;
  }
}
