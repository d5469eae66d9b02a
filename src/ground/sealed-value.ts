import type { MasterKey } from './master-key.ts';
import { Sealer } from './seal.ts';

/** What sealing adds: a nonce of 12 bytes and a tag of 16. */
const overheadBytes = 28;

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
    if (sealed.length <= overheadBytes) return undefined;
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
