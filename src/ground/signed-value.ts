import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { HmacKey } from './keyed-hash.ts';
import { DerivedKeys, type MasterKey } from './master-key.ts';

const tagBytes = 16;
/** Memory for values that were given out lately. */
const recentBytes = 1024 * 1024;
/** What a remembered value takes beside its text. */
const recentOverheadBytes = 512;

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
export class SignedValue<Value extends object, Written> {
  readonly #keys: DerivedKeys<HmacKey>;
  readonly #form: Form<Value, Written>;
  readonly #recent = new LRUCache<string, Value>({
    maxSize: recentBytes,
    sizeCalculation: (_, text) => 2 * text.length + recentOverheadBytes,
  });

  constructor(masterKey: MasterKey, purpose: string, form: Form<Value, Written>) {
    this.#keys = new DerivedKeys(masterKey, purpose, (key) => new HmacKey(key));
    this.#form = form;
  }

  /** The same text for the same value, on every node. */
  seal(value: Value): string {
    const content = Buffer.from(JSON.stringify(this.#form.write(value)));
    const text = Buffer.concat([tagOf(this.#keys.current, content), content]).toString('base64url');
    this.#recent.set(text, value);
    return text;
  }

  /** Undefined for anything that was not sealed here for this purpose. */
  open(text: string): Value | undefined {
    const before = this.#recent.get(text);
    if (before) return before;
    const bytes = Buffer.from(text, 'base64url');
    // Decoding is lenient; only the one spelling that we would write is ours.
    if (bytes.length <= tagBytes || bytes.toString('base64url') !== text) return undefined;
    const content = bytes.subarray(tagBytes);
    const tag = bytes.subarray(0, tagBytes);
    if (!this.#keys.all().some((key) => timingSafeEqual(tag, tagOf(key, content)))) return undefined;
    return this.#form.read(JSON.parse(content.toString()) as Written);
  }
}

const tagOf = (key: HmacKey, content: Buffer): Buffer => key.of(content).subarray(0, tagBytes);
