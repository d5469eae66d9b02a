import { createHmac } from 'node:crypto';
import type { AttemptLimiter, AttemptLimiterOf, Limit } from '../../stores/limits/port.ts';
import { DerivedKeys, type MasterKey } from '../../ground/master-key.ts';
import { networksOf } from '../../ground/network.ts';

/** What one network may do, and the wider network around it. Each limit counts under its name. */
export interface NetworkRules {
  readonly narrow: Limit & { readonly name: string };
  readonly wide: Limit & { readonly name: string };
  /** What the key is derived for with which the names of networks are hashed. */
  readonly purpose: string;
}

/** Limits what comes from one network, counted by all nodes together. Networks are stored as keyed hashes. */
export class NetworkLimits {
  readonly #narrow: AttemptLimiter;
  readonly #wide: AttemptLimiter;
  readonly #keys: DerivedKeys<Buffer>;

  constructor(limiterOf: AttemptLimiterOf, masterKey: MasterKey, { narrow, wide, purpose }: NetworkRules) {
    this.#narrow = limiterOf(narrow.name, narrow);
    this.#wide = limiterOf(wide.name, wide);
    // Under a rotated master key the counts begin anew.
    this.#keys = new DerivedKeys(masterKey, purpose, (key) => key);
  }

  /** Counts what comes from an address. Returns 0 when it is within the limits, else the seconds until the next. */
  async take(address: string): Promise<number> {
    const [narrow, wide] = networksOf(address);
    // One after another: what the narrow limit refuses does not use up the wider one.
    const wait = await this.#narrow.take(this.#named(narrow));
    return wait > 0 ? wait : this.#wide.take(this.#named(wide));
  }

  #named(network: string): string {
    return createHmac('sha256', this.#keys.current).update(network).digest('base64url');
  }
}
