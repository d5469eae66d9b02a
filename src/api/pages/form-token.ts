import { randomBytes } from 'node:crypto';
import { KeyedHash } from '../../ground/keyed-hash.ts';
import type { MasterKey } from '../../ground/master-key.ts';

/**
 * Tokens against cross-site request forgery. A form that is posted to us contains a keyed hash of what the browser's
 * cookie holds: the session's id, or the browser's when nobody is signed in. Only our own page can have put it there.
 * Together with SameSite and the check of the origin, it stops other sites from posting in a person's name, and from
 * signing somebody in to another person's account.
 */
export class FormTokens {
  readonly #hash: KeyedHash;

  constructor(masterKey: MasterKey) {
    this.#hash = new KeyedHash(masterKey, 'form token');
  }

  /** `holder`: the session's id, or the browser's. */
  for(holder: string): string {
    return this.#hash.of(holder);
  }

  isFor(holder: string, token: string | null): boolean {
    return this.#hash.isOf(holder, token ?? '');
  }
}

/** Whether a text can be the name of a browser in its cookie. */
export const isBrowser = (name: string | undefined): name is string =>
  name !== undefined && /^[A-Za-z0-9_-]{22}$/.test(name);

export const newBrowser = (): string => randomBytes(16).toString('base64url');
