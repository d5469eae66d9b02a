import { createHmac } from 'node:crypto';
import type { RefusedSignInEvent } from '../../events/accounts/refused-sign-in.ts';
import type { AttemptLimiter, AttemptLimiterOf } from '../../stores/limits/port.ts';
import { DerivedKeys, type MasterKey } from '../../ground/master-key.ts';
import type { Networks } from '../../ground/network.ts';

const minutes = 60;
const hours = 60 * minutes;

/**
 * Wrong passwords from a browser that has signed in to the account before. This limit is separate: guesses from
 * elsewhere do not use it up, and it uses up no other limit.
 */
const browserRule = { points: 10, windowSeconds: 15 * minutes };
/** For one account from one network: enough for a person who tries to remember. */
const pairRule = { points: 10, windowSeconds: 15 * minutes };
/** For one account from the wider network, so that many networks of one provider give no more attempts. */
const widePairRule = { points: 40, windowSeconds: hours };
/** For one account from all networks, so that guessing from many networks does not pay. */
const accountRule = { points: 100, windowSeconds: hours };
/** For all accounts from one network, and from the wider one: against one password tried on many accounts. */
const networkRule = { points: 60, windowSeconds: 15 * minutes };
const wideNetworkRule = { points: 600, windowSeconds: 15 * minutes };
/** Wrong answers for one passkey. Nobody can guess one; the limit bounds the work. */
const passkeyRule = { points: 30, windowSeconds: 15 * minutes };

/** Emails to one address that are sent at once. */
const addressRule = { points: 5, windowSeconds: hours };
/**
 * After these, one of a kind at the end of each window. They are delayed, not dropped, so that nobody can keep an
 * email from its reader.
 */
const delayedRule = { points: 1, windowSeconds: 15 * minutes };
/**
 * Emails requested at a browser that has signed in to the account before: sent at once, in addition to the others.
 */
const browserMailRule = { points: 3, windowSeconds: hours };
/** Emails requested from one network, and from the wider one. */
const writerRule = { points: 60, windowSeconds: hours };
const wideWriterRule = { points: 240, windowSeconds: hours };

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

/** Password estimates for people without an account, from one network and from the wider one. */
const judgeRule = { points: 120, windowSeconds: 15 * minutes };
const wideJudgeRule = { points: 600, windowSeconds: 15 * minutes };

const rules = {
  'guess-browser': browserRule,
  'guess-pair': pairRule,
  'guess-wide-pair': widePairRule,
  'guess-account': accountRule,
  'guess-network': networkRule,
  'guess-wide-network': wideNetworkRule,
  'guess-passkey': passkeyRule,
  'mail-address': addressRule,
  'mail-delayed': delayedRule,
  'mail-browser': browserMailRule,
  'mail-network': writerRule,
  'mail-wide-network': wideWriterRule,
  'judge-network': judgeRule,
  'judge-wide-network': wideJudgeRule,
} as const;
type Rule = keyof typeof rules;

/** From where the guesses came that reached a limit. */
const reachedFrom = {
  'guess-browser': 'browser',
  'guess-network': 'network',
  'guess-wide-network': 'wider-network',
  'guess-pair': 'network',
  'guess-wide-pair': 'wider-network',
  'guess-account': 'everywhere',
} as const;
type GuessRule = keyof typeof reachedFrom;

/** A rule, and the key that it counts. */
type Counted<Of extends Rule = Rule> = readonly [Of, string];

/**
 * Limits for guesses at passwords and for emails, counted by all nodes together. An account is named by the keyed
 * hash of its address, whether it exists or not. Networks and browsers are stored as keyed hashes too.
 */
export class Throttle {
  readonly #of: Readonly<Record<Rule, AttemptLimiter>>;
  readonly #keys: DerivedKeys<Buffer>;
  readonly #onRefused: (refused: RefusedGuess) => unknown;

  /** `onRefused`: called with each guess that is refused. Nobody waits for what it does. */
  constructor(
    tries: AttemptLimiterOf,
    masterKey: MasterKey,
    onRefused: (refused: RefusedGuess) => unknown = () => undefined,
  ) {
    this.#onRefused = onRefused;
    const made = Object.entries(rules).map(([name, rule]) => [name, tries(name, rule)] as const);
    this.#of = Object.fromEntries(made) as Record<Rule, AttemptLimiter>;
    // Under a rotated master key the counts begin anew.
    this.#keys = new DerivedKeys(masterKey, 'throttle', (key) => key);
  }

  /**
   * Counts a guess before the password is checked, so that simultaneous guesses count fully. Returns the seconds to
   * wait. On 0, check the password, and call `succeeded` when it was right.
   */
  async guess(guess: Guess): Promise<number> {
    for (const [rule, key] of this.#counted(guess)) {
      const seconds = await this.#of[rule].take(key);
      if (seconds === 0) continue;
      this.#tellRefused(rule, guess);
      return seconds;
    }
    return 0;
  }

  /** Nothing, where a guess is refused for an account that nobody has. */
  #tellRefused(rule: GuessRule, { user, networks: [narrow] }: Guess): void {
    const ofNetwork = rule === 'guess-network' || rule === 'guess-wide-network';
    if (!ofNetwork && user === undefined) return;
    const { points: attempts, windowSeconds: seconds } = rules[rule];
    this.#onRefused({
      ...(ofNetwork ? {} : { user }),
      network: this.#named(narrow),
      from: reachedFrom[rule],
      attempts,
      seconds,
    });
  }

  /** The password was right: gives the guess back. */
  async succeeded(guess: Guess): Promise<void> {
    await Promise.all(
      this.#counted(guess).map(([rule, key]) =>
        // The person may have tried a few passwords: the counts that concern only them are reset.
        rule === 'guess-browser' || rule === 'guess-pair'
          ? this.#of[rule].forget(key)
          : this.#of[rule].giveBack(key),
      ),
    );
  }

  /** The account has a new password: resets the counts of guesses and emails. */
  async forget({ account, networks }: Guess): Promise<void> {
    const [narrow, wide] = networks;
    await Promise.all([
      this.#of['guess-pair'].forget(this.#named(account, narrow)),
      this.#of['guess-wide-pair'].forget(this.#named(account, wide)),
      this.#of['guess-account'].forget(this.#named(account)),
      this.#of['mail-address'].forget(this.#named(account)),
    ]);
  }

  /**
   * Counts an answer for a passkey. Returns the seconds to wait. Call `passkeySucceeded` when the answer was right.
   */
  passkey(credential: string): Promise<number> {
    return this.#of['guess-passkey'].take(this.#named(credential));
  }

  async passkeySucceeded(credential: string): Promise<void> {
    await this.#of['guess-passkey'].forget(this.#named(credential));
  }

  /**
   * The seconds after which one more email of a kind may go to an address. Undefined when one of the kind already
   * waits to be sent. `browser`: known to the account, and the email was requested there.
   */
  async mailDelay(address: string, kind: string, browser?: string): Promise<number | undefined> {
    const own =
      browser === undefined ? 1 : await this.#take([['mail-browser', this.#named(address, browser)]]);
    if (own === 0 || (await this.#take([['mail-address', this.#named(address)]])) === 0) return 0;
    const waiting = await this.#take([['mail-delayed', this.#named(address, kind)]]);
    return waiting > 0 ? undefined : delayedRule.windowSeconds;
  }

  /** Counts a request for an email. Returns the seconds to wait. */
  askForMail([narrow, wide]: Networks): Promise<number> {
    return this.#take([
      ['mail-network', this.#named(narrow)],
      ['mail-wide-network', this.#named(wide)],
    ]);
  }

  /** Counts a password estimate for somebody without an account. Returns the seconds to wait. */
  judge([narrow, wide]: Networks): Promise<number> {
    return this.#take([
      ['judge-network', this.#named(narrow)],
      ['judge-wide-network', this.#named(wide)],
    ]);
  }

  /** One after another: an attempt that a narrow limit refuses does not use up a wider one. */
  async #take(counted: readonly Counted[]): Promise<number> {
    for (const [rule, key] of counted) {
      const seconds = await this.#of[rule].take(key);
      if (seconds > 0) return seconds;
    }
    return 0;
  }

  #counted({ account, networks: [narrow, wide], browser }: Guess): Counted<GuessRule>[] {
    if (browser !== undefined) return [['guess-browser', this.#named(account, browser)]];
    return [
      ['guess-network', this.#named(narrow)],
      ['guess-wide-network', this.#named(wide)],
      ['guess-pair', this.#named(account, narrow)],
      ['guess-wide-pair', this.#named(account, wide)],
      ['guess-account', this.#named(account)],
    ];
  }

  #named(...what: readonly string[]): string {
    return createHmac('sha256', this.#keys.current).update(what.join(' ')).digest('base64url');
  }
}
