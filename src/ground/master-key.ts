import { hkdfSync, type KeyObject } from 'node:crypto';

/** A 256-bit key for one purpose, derived from the master key or a data key (HKDF-SHA-256, RFC 5869). */
export function derivedKey(key: SealingKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'commonweal', purpose, 32));
}

export type SealingKey = KeyObject | Uint8Array;

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
