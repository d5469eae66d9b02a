import { createHmac } from 'node:crypto';
import type { Tries, TriesOf } from '../../stores/limits/port.ts';
import { derivedKey } from '../../stores/vault/seal.ts';

const minutes = 60;
const hours = 60 * minutes;

/** Wrong passwords for one account from one network: enough for somebody who is trying to remember. */
const pairRule = { points: 10, windowSeconds: 15 * minutes };
/** From everywhere at once: guessing from many networks must not pay either. */
const accountRule = { points: 100, windowSeconds: hours };
/** For all accounts together from one network: one password tried on many. */
const networkRule = { points: 60, windowSeconds: 15 * minutes };
/** Mails to one address: nobody's inbox is flooded by us. */
const addressRule = { points: 5, windowSeconds: hours };
/** Mails that one network makes us write. */
const writerRule = { points: 60, windowSeconds: hours };

/**
 * Limits for guesses at passwords, and for mails, counted by all nodes together where they share a MongoDB. An
 * account is named by the keyed hash of its address, and whether there is one makes no difference; what is kept of
 * networks is a keyed hash as well.
 */
export class Throttle {
  readonly #pairs: Tries;
  readonly #accounts: Tries;
  readonly #networks: Tries;
  readonly #addresses: Tries;
  readonly #writers: Tries;
  readonly #key: Buffer;

  constructor(tries: TriesOf, masterKey: Buffer) {
    this.#pairs = tries('guess-pair', pairRule);
    this.#accounts = tries('guess-account', accountRule);
    this.#networks = tries('guess-network', networkRule);
    this.#addresses = tries('mail-address', addressRule);
    this.#writers = tries('mail-network', writerRule);
    this.#key = derivedKey(masterKey, 'throttle');
  }

  /**
   * Counts a guess before it is looked at, so that many at once are as many. Answers the seconds to wait; 0: go
   * on, and say `right` when it was.
   */
  async guess(account: string, network: string): Promise<number> {
    return (
      (await this.#networks.take(this.#named(network))) ||
      (await this.#pairs.take(this.#named(account, network))) ||
      (await this.#accounts.take(this.#named(account)))
    );
  }

  /** It was no guess. */
  async right(account: string, network: string): Promise<void> {
    await Promise.all([
      this.#pairs.forget(this.#named(account, network)),
      this.#accounts.giveBack(this.#named(account)),
      this.#networks.giveBack(this.#named(network)),
    ]);
  }

  /** The account has another password: what was guessed before counts no more. */
  async forget(account: string, network: string): Promise<void> {
    await Promise.all([
      this.#pairs.forget(this.#named(account, network)),
      this.#accounts.forget(this.#named(account)),
    ]);
  }

  /** Whether an address may get one more mail; who is refused is not told, as it would tell of the address. */
  async mayWriteTo(address: string): Promise<boolean> {
    return (await this.#addresses.take(this.#named(address))) === 0;
  }

  /** Counts a request for a mail; answers the seconds to wait. */
  async askForMail(network: string): Promise<number> {
    return this.#writers.take(this.#named(network));
  }

  #named(...what: readonly string[]): string {
    return createHmac('sha256', this.#key).update(what.join(' ')).digest('base64url');
  }
}
