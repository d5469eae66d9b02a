import type { AttemptLimiter, AttemptLimiterOf } from '../../../stores/limits/port.ts';
import type { MasterKey } from '../../../ground/master-key.ts';
import { NetworkLimits, type NetworkRules } from '../../http/network-limits.ts';

const hour = 3_600;

/** Enough for a shelter whose guests share one network. */
const networkRules: NetworkRules = {
  narrow: { name: 'report-network', points: 10, windowSeconds: hour },
  wide: { name: 'report-wide-network', points: 60, windowSeconds: hour },
  purpose: 'report limits',
};

/** About one record, from everywhere: reviewers need no more to look at it. */
const recordRule = { points: 30, windowSeconds: 24 * hour } as const;

/** Limits for reports of mistakes, counted by all nodes together. */
export class ReportLimits {
  readonly #networks: NetworkLimits;
  readonly #records: AttemptLimiter;

  constructor(limiterOf: AttemptLimiterOf, masterKey: MasterKey) {
    this.#networks = new NetworkLimits(limiterOf, masterKey, networkRules);
    this.#records = limiterOf('report-record', recordRule);
  }

  /** Counts a report. Undefined when it may be made, else what there are too many of. */
  async take(address: string, svcId: string): Promise<'network' | 'record' | undefined> {
    if ((await this.#networks.take(address)) > 0) return 'network';
    return (await this.#records.take(svcId)) > 0 ? 'record' : undefined;
  }
}
