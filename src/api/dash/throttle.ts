import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const minutes = 60;
const hours = 60 * minutes;

/** Wrong passwords for one account from one network: enough for somebody who is trying to remember. */
const pairRule = { points: 10, duration: 15 * minutes };
/** From everywhere at once: guessing from many networks must not pay either. */
const accountRule = { points: 100, duration: hours };
/** For all accounts together from one network: one password tried on many. */
const networkRule = { points: 60, duration: 15 * minutes };
/** Mails to one address: nobody's inbox is flooded by us. */
const addressRule = { points: 5, duration: hours };
/** Mails that one network makes us write. */
const writerRule = { points: 60, duration: hours };

/**
 * Limits for guesses at passwords, and for mails. Kept in memory, by each process for itself. An account is named
 * by the keyed hash of its address, and whether there is one makes no difference.
 */
export class Throttle {
  readonly #pairs = new RateLimiterMemory(pairRule);
  readonly #accounts = new RateLimiterMemory(accountRule);
  readonly #networks = new RateLimiterMemory(networkRule);
  readonly #addresses = new RateLimiterMemory(addressRule);
  readonly #writers = new RateLimiterMemory(writerRule);

  /**
   * Counts a guess before it is looked at, so that many at once are as many. Answers the seconds to wait; 0: go
   * on, and say `right` when it was.
   */
  async guess(account: string, network: string): Promise<number> {
    return (
      (await taken(this.#networks, network)) ||
      (await taken(this.#pairs, `${account} ${network}`)) ||
      (await taken(this.#accounts, account))
    );
  }

  /** It was no guess. */
  async right(account: string, network: string): Promise<void> {
    await this.#pairs.delete(`${account} ${network}`);
    await this.#accounts.reward(account);
    await this.#networks.reward(network);
  }

  /** The account has another password: what was guessed before counts no more. */
  async forget(account: string, network: string): Promise<void> {
    await this.#pairs.delete(`${account} ${network}`);
    await this.#accounts.delete(account);
  }

  /** Whether an address may get one more mail; who is refused is not told, as it would tell of the address. */
  async mayWriteTo(address: string): Promise<boolean> {
    return (await taken(this.#addresses, address)) === 0;
  }

  /** Counts a request for a mail; answers the seconds to wait. */
  async askForMail(network: string): Promise<number> {
    return taken(this.#writers, network);
  }
}

/** Takes one of what a key has left; answers the seconds until there is more, 0 when there was one. */
async function taken(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    return Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000));
  }
}
