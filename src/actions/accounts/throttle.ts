import { TooManyRequests } from '../../ground/refusals.ts';
import type { RefusedSignInEvent } from '../../events/accounts/refused-sign-in.ts';
import { limitTable } from '../../tables/limits.ts';
import type { Count, Limits } from '../../stores/limits/port.ts';
import type { Networks } from '../../ground/network.ts';

/** A guess at a password: for which account, and from where. */
export interface Guess {
  /** Keyed hash of the address, whether an account has it or not. */
  readonly account: string;
  readonly networks: Networks;
  /** The name of a browser that is known to the account. */
  readonly browser?: string | undefined;
  /** Whose account it is. Undefined: nobody has it. */
  readonly user?: string | undefined;
}

/** Which limit refused a guess. */
export type RefusedGuess = RefusedSignInEvent['data'];

/** From where the guesses came that reached a limit. */
const reachedFrom = {
  'guess-browser': 'browser',
  'guess-network': 'network',
  'guess-wide-network': 'wider-network',
  'guess-pair': 'network',
  'guess-wide-pair': 'wider-network',
  'guess-account': 'everywhere',
} as const;
type GuessLimit = keyof typeof reachedFrom;

/** Limits for guesses at passwords and for emails. An account is named by its address, whether it exists or not. */
export class Throttle {
  readonly #limits: Limits;
  readonly #onRefused: (refused: RefusedGuess) => unknown;

  /** `onRefused`: called with each guess that is refused. Nobody waits for what it does. */
  constructor(limits: Limits, onRefused: (refused: RefusedGuess) => unknown = () => undefined) {
    this.#limits = limits;
    this.#onRefused = onRefused;
  }

  /**
   * Counts a guess before the password is checked, so that simultaneous guesses count fully. Returns the seconds to
   * wait. On 0, check the password, and call `succeeded` when it was right.
   */
  async guess(guess: Guess): Promise<number> {
    const { seconds, refused } = await this.#limits.take(...countsOf(guess));
    if (refused !== undefined) this.#tellRefused(refused as GuessLimit, guess);
    return seconds;
  }

  /** Nothing, where a guess is refused for an account that nobody has. */
  #tellRefused(limit: GuessLimit, { user, networks: [narrow] }: Guess): void {
    const ofNetwork = limit === 'guess-network' || limit === 'guess-wide-network';
    if (!ofNetwork && user === undefined) return;
    const { points: attempts, windowSeconds: seconds } = limitTable[limit];
    this.#onRefused({
      ...(ofNetwork ? {} : { user }),
      network: this.#limits.nameOf(limit, narrow),
      from: reachedFrom[limit],
      attempts,
      seconds,
    });
  }

  /** The password was right: gives the guess back. */
  async succeeded(guess: Guess): Promise<void> {
    // The person may have tried a few passwords: the counts that concern only them are reset.
    const isTheirs = ([limit]: Count) => limit === 'guess-browser' || limit === 'guess-pair';
    const counts = countsOf(guess);
    await Promise.all([
      this.#limits.forget(...counts.filter(isTheirs)),
      this.#limits.giveBack(...counts.filter((count) => !isTheirs(count))),
    ]);
  }

  /** The account has a new password: resets the counts of guesses and emails. */
  async forget({ account, networks: [narrow, wide] }: Guess): Promise<void> {
    await this.#limits.forget(
      ['guess-pair', [account, narrow]],
      ['guess-wide-pair', [account, wide]],
      ['guess-account', account],
      ['mail-address', account],
    );
  }

  /**
   * Counts an answer for a passkey. Returns the seconds to wait. Call `passkeySucceeded` when the answer was right.
   */
  passkey(credential: string): Promise<number> {
    return this.#take(['guess-passkey', credential]);
  }

  async passkeySucceeded(credential: string): Promise<void> {
    await this.#limits.forget(['guess-passkey', credential]);
  }

  /**
   * The seconds after which one more email of a kind may go to an address. Undefined when one of the kind already
   * waits to be sent. `browser`: known to the account, and the email was requested there.
   */
  async mailDelay(address: string, kind: string, browser?: string): Promise<number | undefined> {
    const own = browser === undefined ? 1 : await this.#take(['mail-browser', [address, browser]]);
    if (own === 0 || (await this.#take(['mail-address', address])) === 0) return 0;
    const waiting = await this.#take(['mail-delayed', [address, kind]]);
    return waiting > 0 ? undefined : limitTable['mail-delayed'].windowSeconds;
  }

  /** Counts a request for an email. Returns the seconds to wait. */
  askForMail([narrow, wide]: Networks): Promise<number> {
    return this.#take(['mail-network', narrow], ['mail-wide-network', wide]);
  }

  /** Counts a password estimate for somebody without an account. Returns the seconds to wait. */
  judge([narrow, wide]: Networks): Promise<number> {
    return this.#take(['judge-network', narrow], ['judge-wide-network', wide]);
  }

  async #take(...counts: readonly Count[]): Promise<number> {
    return (await this.#limits.take(...counts)).seconds;
  }
}

function countsOf({ account, networks: [narrow, wide], browser }: Guess): readonly Count[] {
  if (browser !== undefined) return [['guess-browser', [account, browser]]];
  return [
    ['guess-network', narrow],
    ['guess-wide-network', wide],
    ['guess-pair', [account, narrow]],
    ['guess-wide-pair', [account, wide]],
    ['guess-account', account],
  ];
}

/** `sentence`: of what it was too much. @throws TooManyRequests, unless there are no seconds to wait */
export function refuseFor(seconds: number, sentence: string): void {
  if (seconds > 0) throw new TooManyRequests(sentence, seconds);
}
