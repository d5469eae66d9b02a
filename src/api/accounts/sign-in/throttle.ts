import { createHmac } from 'node:crypto';
import type { AttemptLimiter, AttemptLimiterOf } from '../../../stores/limits/port.ts';
import { derivedKey } from '../../../stores/vault/seal.ts';
import type { Networks } from '../../http/network.ts';

const minutes = 60;
const hours = 60 * minutes;

/**
 * Wrong passwords. From a browser that has signed in to the account before: a budget of its own, which no guess
 * from elsewhere uses up, and which uses up nobody else's.
 */
const browserRule = { points: 10, windowSeconds: 15 * minutes };
/** For one account from one network: enough for somebody who is trying to remember. */
const pairRule = { points: 10, windowSeconds: 15 * minutes };
/** For one account from the wider network around it: who has a hundred networks of one provider has no more. */
const widePairRule = { points: 40, windowSeconds: hours };
/** For one account from everywhere at once: guessing from many networks must not pay either. */
const accountRule = { points: 100, windowSeconds: hours };
/** For all accounts together from one network, and from the wider one: one password tried on many. */
const networkRule = { points: 60, windowSeconds: 15 * minutes };
const wideNetworkRule = { points: 600, windowSeconds: 15 * minutes };
/** Answers that name a passkey and are not its own. Nobody guesses one; it bounds the work that they make. */
const passkeyRule = { points: 30, windowSeconds: 15 * minutes };

/** Mails to one address, at once: nobody's inbox is flooded by us. */
const addressRule = { points: 5, windowSeconds: hours };
/** After these, one of a kind in such a time, at its end: delayed, so that nobody can keep a mail from its reader. */
const delayedRule = { points: 1, windowSeconds: 15 * minutes };
/** Mails that somebody asks for at a browser which has signed in to the account before; at once, beside the others. */
const browserMailRule = { points: 3, windowSeconds: hours };
/** Mails that one network makes us write, and the wider one. */
const writerRule = { points: 60, windowSeconds: hours };
const wideWriterRule = { points: 240, windowSeconds: hours };

/** What is guessed at, and from where. */
export interface Guess {
  /** Keyed hash of the address, whether an account has it or not. */
  readonly account: string;
  readonly networks: Networks;
  /** Names a browser that is known to the account. */
  readonly browser?: string | undefined;
}

/** Passwords that strangers of one network have us judge, before there is an account, and of the wider one. */
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

/** What a try is counted by, and under which key. */
type Counted = readonly [Rule, string];

/**
 * Limits for guesses at passwords, and for mails, counted by all nodes together. An account is named by the keyed
 * hash of its address, and whether there is one makes no difference; what is kept of networks and browsers is a keyed
 * hash as well.
 */
export class Throttle {
  readonly #of: Readonly<Record<Rule, AttemptLimiter>>;
  readonly #key: Buffer;

  constructor(tries: AttemptLimiterOf, masterKey: Buffer) {
    const made = Object.entries(rules).map(([name, rule]) => [name, tries(name, rule)] as const);
    this.#of = Object.fromEntries(made) as Record<Rule, AttemptLimiter>;
    this.#key = derivedKey(masterKey, 'throttle');
  }

  /**
   * Counts a guess before it is looked at, so that many at once are as many. Answers the seconds to wait; 0: go
   * on, and say `right` when it was.
   */
  guess(guess: Guess): Promise<number> {
    return this.#take(this.#counted(guess));
  }

  /** It was no guess. */
  async succeeded(guess: Guess): Promise<void> {
    await Promise.all(
      this.#counted(guess).map(([rule, key]) =>
        // Who was right may have tried to remember: what is counted for them alone is forgotten.
        rule === 'guess-browser' || rule === 'guess-pair'
          ? this.#of[rule].forget(key)
          : this.#of[rule].giveBack(key),
      ),
    );
  }

  /** The account has another password: what was guessed, and what was written to it, before counts no more. */
  async forget({ account, networks }: Guess): Promise<void> {
    const [narrow, wide] = networks;
    await Promise.all([
      this.#of['guess-pair'].forget(this.#named(account, narrow)),
      this.#of['guess-wide-pair'].forget(this.#named(account, wide)),
      this.#of['guess-account'].forget(this.#named(account)),
      this.#of['mail-address'].forget(this.#named(account)),
    ]);
  }

  /** Counts an answer in a passkey's name; answers the seconds to wait. Say `passkeyRight` when it was its own. */
  passkey(credential: string): Promise<number> {
    return this.#of['guess-passkey'].take(this.#named(credential));
  }

  async passkeySucceeded(credential: string): Promise<void> {
    await this.#of['guess-passkey'].forget(this.#named(credential));
  }

  /**
   * After how many seconds one more mail of a kind goes to an address; undefined where one of the kind waits to go
   * already. `browser`: known to the account, and there somebody has asked for it.
   */
  async mailDelay(address: string, kind: string, browser?: string): Promise<number | undefined> {
    const own =
      browser === undefined ? 1 : await this.#take([['mail-browser', this.#named(address, browser)]]);
    if (own === 0 || (await this.#take([['mail-address', this.#named(address)]])) === 0) return 0;
    const waiting = await this.#take([['mail-delayed', this.#named(address, kind)]]);
    return waiting > 0 ? undefined : delayedRule.windowSeconds;
  }

  /** Counts a request for a mail; answers the seconds to wait. */
  askForMail([narrow, wide]: Networks): Promise<number> {
    return this.#take([
      ['mail-network', this.#named(narrow)],
      ['mail-wide-network', this.#named(wide)],
    ]);
  }

  /** Counts a password that is to be judged for somebody without an account; answers the seconds to wait. */
  judge([narrow, wide]: Networks): Promise<number> {
    return this.#take([
      ['judge-network', this.#named(narrow)],
      ['judge-wide-network', this.#named(wide)],
    ]);
  }

  /** Each in turn, so that what a narrow budget refuses uses up no wider one. */
  async #take(counted: readonly Counted[]): Promise<number> {
    for (const [rule, key] of counted) {
      const seconds = await this.#of[rule].take(key);
      if (seconds > 0) return seconds;
    }
    return 0;
  }

  #counted({ account, networks: [narrow, wide], browser }: Guess): Counted[] {
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
    return createHmac('sha256', this.#key).update(what.join(' ')).digest('base64url');
  }
}
