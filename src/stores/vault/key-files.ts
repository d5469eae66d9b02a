import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../errors.ts';
import type { KeyRing } from '../../ground/master-key.ts';

/** How old what is known of the files may be, in milliseconds. A rotation waits longer than this. */
export const keyFilesFreshMs = 1_000;

export const masterKeyFile = (directory: string): string => join(directory, 'master.key');
/** The key before the newest, while the master key is rotated. */
export const previousKeyFile = (directory: string): string => `${masterKeyFile(directory)}.previous`;

/** The master key in a data folder, and the one before it. Read again when a file changes, while processes run. */
export class KeyFiles implements KeyRing {
  readonly #directory: string;
  #keys: readonly [Uint8Array, ...Uint8Array[]];
  #version: string;
  #lookedAt: number;

  constructor(directory: string) {
    this.#directory = directory;
    this.#version = this.#versionNow();
    this.#lookedAt = performance.now();
    const keys = this.#read();
    if (!keys) {
      throw new StoreError('incompatible', `${masterKeyFile(directory)} does not hold 32 bytes in base64.`);
    }
    this.#keys = keys;
  }

  keys(): readonly [Uint8Array, ...Uint8Array[]] {
    if (performance.now() - this.#lookedAt >= keyFilesFreshMs) this.refresh();
    return this.#keys;
  }

  refresh(): void {
    this.#lookedAt = performance.now();
    const version = this.#versionNow();
    if (version === this.#version) return;
    // Removed while this process runs: what is known stays.
    this.#keys = this.#read() ?? this.#keys;
    this.#version = version;
  }

  /** In this order: a rotation writes the previous key first, so a new key is never read without the one before it. */
  #read(): readonly [Uint8Array, ...Uint8Array[]] | undefined {
    const current = keyIn(masterKeyFile(this.#directory));
    const previous = keyIn(previousKeyFile(this.#directory));
    if (!current) return undefined;
    return previous && !previous.equals(current) ? [current, previous] : [current];
  }

  #versionNow(): string {
    return [masterKeyFile(this.#directory), previousKeyFile(this.#directory)]
      .map((path) => {
        const stat = statSync(path, { throwIfNoEntry: false });
        return stat ? `${stat.ino}/${stat.mtimeMs}/${stat.size}` : '-';
      })
      .join(' ');
  }
}

function keyIn(path: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const key = Buffer.from(text, 'base64');
  return key.length === 32 ? key : undefined;
}
