import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Person } from '../../../commands/accounts/user.ts';
import { derivedKey } from '../../../stores/vault/seal.ts';
import { knownBrowserCookie, type Cookie, type HostCookie } from '../../http/host-cookie.ts';

/** What a browser is known to: an account, until its owner chooses a new password or signs out everywhere. */
export type KnownTo = Pick<Person, 'user' | 'sessionEpoch'>;

type Cookies = Pick<FastifyRequest, 'cookies'>;

/** Accounts that one browser may be known to; the one that was used longest ago is forgotten. */
const accountsAtMost = 5;
const lifeSeconds = 180 * 86_400;
const nameBytes = 16;
const macBytes = 16;

/**
 * The cookie by which a browser shows that it has signed in to an account before, so that guesses from elsewhere do
 * not keep its owner out. For each account it holds a random name and a keyed hash over it: nobody can make one,
 * or read in it whose it is. It opens nothing; a password is still asked for, and guesses are still counted.
 */
export class KnownBrowsers {
  readonly #key: KeyObject;
  readonly #cookie: () => HostCookie;

  constructor(masterKey: Uint8Array, issuer: () => string) {
    this.#key = createSecretKey(derivedKey(masterKey, 'known browser'));
    this.#cookie = () => knownBrowserCookie(issuer());
  }

  /** How the browser is called at an account; undefined where it is a stranger. */
  nameAt(request: Cookies, account: KnownTo | undefined): string | undefined {
    const mark = account && this.#marks(request).find((each) => this.#isFor(each, account));
    return mark?.subarray(0, nameBytes).toString('base64url');
  }

  /** Makes the browser known to the account, and to those it was known to before. */
  remember(request: Cookies, account: KnownTo): Cookie {
    const marks = this.#marks(request);
    const known = marks.find((each) => this.#isFor(each, account)) ?? this.#newMark(account);
    const all = [known, ...marks.filter((each) => each !== known)].slice(0, accountsAtMost);
    return this.#cookie().set(all.map((each) => each.toString('base64url')).join('.'), lifeSeconds);
  }

  #marks(request: Cookies): Buffer[] {
    const value = this.#cookie().read(request) ?? '';
    return value
      .split('.')
      .slice(0, accountsAtMost)
      .map((each) => Buffer.from(each, 'base64url'))
      .filter(({ length }) => length === nameBytes + macBytes);
  }

  #newMark(account: KnownTo): Buffer {
    const name = randomBytes(nameBytes);
    return Buffer.concat([name, this.#macOf(name, account)]);
  }

  #isFor(mark: Buffer, account: KnownTo): boolean {
    return timingSafeEqual(mark.subarray(nameBytes), this.#macOf(mark.subarray(0, nameBytes), account));
  }

  #macOf(name: Uint8Array, { user, sessionEpoch }: KnownTo): Buffer {
    const mac = createHmac('sha256', this.#key).update(name).update(`${user} ${sessionEpoch}`).digest();
    return mac.subarray(0, macBytes);
  }
}
