import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AttemptLimiter, AttemptLimiterOf } from '../../stores/limits/port.ts';
import { DerivedKeys, type MasterKey } from '../../ground/master-key.ts';
import { entries } from '../../ground/capacity.ts';
import { networksOf } from '../../ground/network.ts';

/**
 * Of the places that are left in a day, one network takes no more than a part. So a few networks never use a day up: each
 * further one still gets its part of the rest, and one that has sent nothing yet gets the last place.
 */
const partOf = { narrow: 4, wide: 2 } as const;

const windowSeconds = 86_400;
const rememberedLimiters = 500;

/** The places of one day that a network shares with others. */
export interface SharedPlaces {
  /** What the places are of: a day and a form, or a day and a team. */
  readonly of: string;
  readonly left: number;
}

/** Counts what each network takes of the daily caps, over all nodes. Networks are stored as keyed hashes. */
export class NetworkShares {
  readonly #limiterOf: AttemptLimiterOf;
  readonly #limiters = new LRUCache<string, AttemptLimiter>(entries(rememberedLimiters));
  readonly #keys: DerivedKeys<Buffer>;

  constructor(limiterOf: AttemptLimiterOf, masterKey: MasterKey) {
    this.#limiterOf = limiterOf;
    this.#keys = new DerivedKeys(masterKey, 'form shares', (key) => key);
  }

  /** Takes a place of each for a network. Returns how to give them back; undefined when its part of one is used up. */
  async take(address: string, places: readonly SharedPlaces[]): Promise<(() => Promise<void>) | undefined> {
    const [narrow, wide] = networksOf(address);
    const taken: (() => Promise<void>)[] = [];
    const giveBack = async (): Promise<void> => {
      await Promise.all(taken.map((back) => back()));
    };
    for (const { of, left } of places)
      for (const [name, network, part] of [
        ['share-of-day', narrow, partOf.narrow],
        ['wide-share-of-day', wide, partOf.wide],
      ] as const) {
        const limiter = this.#limiter(name, stepBelow(Math.max(1, Math.ceil(left / part))));
        const key = `${of} ${this.#named(network)}`;
        if ((await limiter.take(key)) > 0) {
          await giveBack();
          return undefined;
        }
        taken.push(() => limiter.giveBack(key));
      }
    return giveBack;
  }

  /** Counts of one name are shared, whatever the limit: the part shrinks while places are taken. */
  #limiter(name: string, points: number): AttemptLimiter {
    const key = `${name} ${points}`;
    const known = this.#limiters.get(key) ?? this.#limiterOf(name, { points, windowSeconds });
    this.#limiters.set(key, known);
    return known;
  }

  #named(network: string): string {
    return createHmac('sha256', this.#keys.current).update(network).digest('base64url');
  }
}

/** Rounds down to three binary digits, so that there are few limiters. */
function stepBelow(points: number): number {
  const unit = 2 ** Math.max(0, Math.floor(Math.log2(points)) - 2);
  return Math.floor(points / unit) * unit;
}
