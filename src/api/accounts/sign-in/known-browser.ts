import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DerivedKeys, type MasterKey } from '../../../ground/master-key.ts';
import { knownBrowserCookie, type Cookie, type HostCookie } from '../../http/host-cookie.ts';
import type { Person } from '../../../commands/accounts/user-state.ts';

/** The account that a browser is known to, until the owner chooses a new password or signs out everywhere. */
export type KnownTo = Pick<Person, 'user' | 'sessionEpoch'>;

type Cookies = Pick<FastifyRequest, 'cookies'>;

/** The most accounts that one browser is known to. The least recently used one is forgotten. */
const accountsAtMost = 5;
const lifeSeconds = 180 * 86_400;
const nameBytes = 16;
const macBytes = 16;

/**
 * The cookie with which a browser shows that it has signed in to an account before, so that guesses from elsewhere do
 * not lock out the owner. For each account it holds a random name and a keyed hash over it. Nobody can forge one, or
 * read from it whose account it is. It does not replace the password, and guesses are still counted.
 */
export class KnownBrowsers {
  readonly #keys: DerivedKeys<KeyObject>;
  readonly #cookie: () => HostCookie;

  constructor(masterKey: MasterKey, issuer: () => string) {
    this.#keys = new DerivedKeys(masterKey, 'known browser', createSecretKey);
    this.#cookie = () => knownBrowserCookie(issuer());
  }

  /** The name of the browser at an account. Undefined when it is not known there. */
  nameAt(request: Cookies, account: KnownTo | undefined): string | undefined {
    const mark = account && this.#marks(request).find((each) => this.#isFor(each, account));
    return mark?.subarray(0, nameBytes).toString('base64url');
  }

  /** Makes the browser known to the account, in addition to the earlier ones. */
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
    return Buffer.concat([name, macOf(this.#keys.current, name, account)]);
  }

  #isFor(mark: Buffer, account: KnownTo): boolean {
    const [name, mac] = [mark.subarray(0, nameBytes), mark.subarray(nameBytes)];
    return this.#keys.all().some((key) => timingSafeEqual(mac, macOf(key, name, account)));
  }
}

function macOf(key: KeyObject, name: Uint8Array, { user, sessionEpoch }: KnownTo): Buffer {
  const mac = createHmac('sha256', key).update(name).update(`${user} ${sessionEpoch}`).digest();
  return mac.subarray(0, macBytes);
}
