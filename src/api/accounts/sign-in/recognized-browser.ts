import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { KeyedHash } from '../../../ground/keyed-hash.ts';
import type { MasterKey } from '../../../ground/master-key.ts';
import { recognizedBrowserCookie, type Cookie, type HostCookie } from '../../http/host-cookie.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';

/** The account that a browser is known to, until the owner chooses a new password or signs out everywhere. */
export type BrowserAccount = Pick<Person, 'user' | 'sessionEpoch'>;

type Cookies = Pick<FastifyRequest, 'cookies'>;

/** The most accounts that one browser is known to. The least recently used one is forgotten. */
const accountsAtMost = 5;
const lifeSeconds = 180 * 86_400;
/** 16 random bytes, in base64url. */
const nameLength = 22;
/** The name and a keyed hash. */
const markLength = nameLength + 43;

/**
 * The cookie with which a browser shows that it has signed in to an account before, so that guesses from elsewhere do
 * not lock out the owner. For each account it holds a random name and a keyed hash over it. Nobody can forge one, or
 * read from it whose account it is. It does not replace the password, and guesses are still counted.
 */
export class RecognizedBrowsers {
  readonly #hash: KeyedHash;
  readonly #cookie: () => HostCookie;

  constructor(masterKey: MasterKey, issuer: () => string) {
    this.#hash = new KeyedHash(masterKey, 'known browser');
    this.#cookie = () => recognizedBrowserCookie(issuer());
  }

  /** The name of the browser at an account. Undefined when it is not known there. */
  nameAt(request: Cookies, account: BrowserAccount | undefined): string | undefined {
    const mark = account && this.#marks(request).find((each) => this.#isFor(each, account));
    return mark?.slice(0, nameLength);
  }

  /** Makes the browser known to the account, in addition to the earlier ones. */
  remember(request: Cookies, account: BrowserAccount): Cookie {
    const marks = this.#marks(request);
    const own = marks.find((each) => this.#isFor(each, account)) ?? this.#newMark(account);
    const all = [own, ...marks.filter((each) => each !== own)].slice(0, accountsAtMost);
    return this.#cookie().set(all.join('.'), lifeSeconds);
  }

  #marks(request: Cookies): string[] {
    const value = this.#cookie().read(request) ?? '';
    return value
      .split('.')
      .slice(0, accountsAtMost)
      .filter(({ length }) => length === markLength);
  }

  #newMark(account: BrowserAccount): string {
    const name = randomBytes(16).toString('base64url');
    return name + this.#hash.of(hashed(name, account));
  }

  #isFor(mark: string, account: BrowserAccount): boolean {
    return this.#hash.isOf(hashed(mark.slice(0, nameLength), account), mark.slice(nameLength));
  }
}

const hashed = (name: string, { user, sessionEpoch }: BrowserAccount): string =>
  `${name} ${user} ${sessionEpoch}`;
