import { createHmac } from 'node:crypto';
import type { AttemptLimiter, AttemptLimiterOf } from '../../stores/limits/port.ts';
import { derivedKey } from '../../stores/vault/seal.ts';
import { networksOf } from '../http/network/network.ts';

const hour = 3_600;

/** Everybody in a library, or in a meeting at which a form is filled in, shares one network. */
const rules = {
  'form-network': { points: 60, windowSeconds: hour },
  /** The wider network around it. */
  'form-wide-network': { points: 300, windowSeconds: hour },
} as const;
type Rule = keyof typeof rules;

/** Limits what one network sends to all forms, counted by all nodes together. Networks are stored as keyed hashes. */
export class SubmissionLimits {
  readonly #of: Readonly<Record<Rule, AttemptLimiter>>;
  readonly #key: Buffer;

  constructor(limiterOf: AttemptLimiterOf, masterKey: Buffer) {
    const made = Object.entries(rules).map(([name, rule]) => [name, limiterOf(name, rule)] as const);
    this.#of = Object.fromEntries(made) as Record<Rule, AttemptLimiter>;
    this.#key = derivedKey(masterKey, 'form limits');
  }

  /** Counts a submission. Returns 0 when it may be made, else the seconds until the next. */
  async take(address: string): Promise<number> {
    const [narrow, wide] = networksOf(address);
    // One after another: what the narrow limit refuses does not use up the wider one.
    const wait = await this.#of['form-network'].take(this.#named(narrow));
    return wait > 0 ? wait : this.#of['form-wide-network'].take(this.#named(wide));
  }

  #named(network: string): string {
    return createHmac('sha256', this.#key).update(network).digest('base64url');
  }
}
