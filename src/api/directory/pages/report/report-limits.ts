import { createHmac } from 'node:crypto';
import type { AttemptLimiter, AttemptLimiterOf } from '../../../../stores/limits/port.ts';
import { derivedKey } from '../../../../stores/vault/seal.ts';
import { networksOf } from '../../../http/network/network.ts';

const hour = 3_600;

const rules = {
  /** Reports from one network: enough for a shelter whose guests share one. */
  'report-network': { points: 10, windowSeconds: hour },
  /** From the wider network around it. */
  'report-wide-network': { points: 60, windowSeconds: hour },
  /** About one record, from everywhere: reviewers need no more to look at it. */
  'report-record': { points: 30, windowSeconds: 24 * hour },
} as const;
type Rule = keyof typeof rules;

/** Limits for reports of mistakes, counted by all nodes together. Networks are stored as keyed hashes. */
export class ReportLimits {
  readonly #of: Readonly<Record<Rule, AttemptLimiter>>;
  readonly #key: Buffer;

  constructor(limiterOf: AttemptLimiterOf, masterKey: Buffer) {
    const made = Object.entries(rules).map(([name, rule]) => [name, limiterOf(name, rule)] as const);
    this.#of = Object.fromEntries(made) as Record<Rule, AttemptLimiter>;
    this.#key = derivedKey(masterKey, 'report limits');
  }

  /** Counts a report. Undefined when it may be made, else what there are too many of. */
  async take(address: string, svcId: string): Promise<'network' | 'record' | undefined> {
    const [narrow, wide] = networksOf(address);
    // One after another: what a narrow limit refuses does not use up a wider one.
    if ((await this.#of['report-network'].take(this.#named(narrow))) > 0) return 'network';
    if ((await this.#of['report-wide-network'].take(this.#named(wide))) > 0) return 'network';
    return (await this.#of['report-record'].take(svcId)) > 0 ? 'record' : undefined;
  }

  #named(network: string): string {
    return createHmac('sha256', this.#key).update(network).digest('base64url');
  }
}
