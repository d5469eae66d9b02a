import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { derivedKey } from '../../stores/vault/seal.ts';

/**
 * A form that is posted to us carries a token that only our own page can have put there: a keyed hash of what
 * the browser's cookie holds, of the session where somebody is signed in, else of the browser. Beside SameSite
 * and the check of the origin it keeps other sites from posting in a person's name, and from signing somebody in
 * to an account that is not theirs.
 */
export class FormTokens {
  readonly #key: KeyObject;

  constructor(masterKey: Uint8Array) {
    this.#key = createSecretKey(derivedKey(masterKey, 'form token'));
  }

  /** `holder`: the session's id, or the browser's. */
  for(holder: string): string {
    return createHmac('sha256', this.#key).update(holder).digest('base64url');
  }

  isFor(holder: string, token: string | null): boolean {
    const right = Buffer.from(this.for(holder));
    const given = Buffer.from(token ?? '');
    return given.length === right.length && timingSafeEqual(given, right);
  }
}

/** What a browser is called by its cookie. */
export const isBrowser = (name: string | undefined): name is string =>
  name !== undefined && /^[A-Za-z0-9_-]{22}$/.test(name);

export const newBrowser = (): string => randomBytes(16).toString('base64url');
