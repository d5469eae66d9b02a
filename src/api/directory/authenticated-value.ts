import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { derivedKey } from '../../stores/vault/seal.ts';

const tagBytes = 16;
/** Memory for values that were given out lately. */
const givenBytes = 1024 * 1024;
/** What a remembered value takes beside its text. */
const givenOverheadBytes = 512;

/** A value as it is written into JSON and read from it. */
interface Form<Value, Written> {
  readonly write: (value: Value) => Written;
  readonly read: (written: Written) => Value;
}

/**
 * A value that a client keeps and sends back, such as a cursor: it can be read, but not changed, nor used for another
 * purpose. It is authenticated with a key that every node derives from the master key. Values that this node gave out
 * lately are known again by their text: to check one costs a twentieth of a page.
 */
export class AuthenticatedValue<Value extends object, Written> {
  readonly #key: KeyObject;
  readonly #form: Form<Value, Written>;
  readonly #given = new LRUCache<string, Value>({
    maxSize: givenBytes,
    sizeCalculation: (_, text) => 2 * text.length + givenOverheadBytes,
  });

  constructor(masterKey: Buffer, purpose: string, form: Form<Value, Written>) {
    // As a key object: from bytes, each HMAC costs five times as much.
    this.#key = createSecretKey(derivedKey(masterKey, purpose));
    this.#form = form;
  }

  /** The same text for the same value, on every node. */
  seal(value: Value): string {
    const content = Buffer.from(JSON.stringify(this.#form.write(value)));
    const text = Buffer.concat([this.#tagOf(content), content]).toString('base64url');
    this.#given.set(text, value);
    return text;
  }

  /** Undefined for anything that was not sealed here for this purpose. */
  open(text: string): Value | undefined {
    const before = this.#given.get(text);
    if (before) return before;
    const bytes = Buffer.from(text, 'base64url');
    // Decoding is lenient; only the one spelling that we would write is ours.
    if (bytes.length <= tagBytes || bytes.toString('base64url') !== text) return undefined;
    const content = bytes.subarray(tagBytes);
    if (!timingSafeEqual(bytes.subarray(0, tagBytes), this.#tagOf(content))) return undefined;
    return this.#form.read(JSON.parse(content.toString()) as Written);
  }

  #tagOf(content: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(content).digest().subarray(0, tagBytes);
  }
}
