import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { limitTable, type LimitName, type LimitNumbers, type LimitRow } from '../../tables/limits.ts';
import { entries } from '../../ground/capacity.ts';
import { KeyedHash } from '../../ground/keyed-hash.ts';
import type { MasterKey } from '../../ground/master-key.ts';
import { MemoryAttemptLimiter } from './memory-attempt-limiter.ts';
import {
  limitRefusals,
  type AttemptLimiter,
  type Count,
  type Limit,
  type Limits,
  type MeasuredRefusal,
  type Taken,
} from './port.ts';

/** More than the table has, because forms name their own numbers. */
const mostOpen = 1_000;

interface Parts {
  /** Counts under a name, for all processes together. */
  readonly open: (name: LimitName, limit: Limit) => AttemptLimiter;
  readonly masterKey: MasterKey;
  readonly numbers: LimitNumbers;
}

/** The limits of the table. */
export class TableLimits implements Limits {
  readonly #parts: Parts;
  /** By name and number: what was counted under a name counts, whatever the number is now. */
  readonly #opened = new LRUCache<string, AttemptLimiter>(entries(mostOpen));
  /** Under a rotated master key the counts begin anew. */
  readonly #hashes = new Map<string, KeyedHash>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The same counts with other numbers. */
  withNumbers(numbers: LimitNumbers): TableLimits {
    return new TableLimits({ ...this.#parts, numbers });
  }

  async take(...counts: readonly Count[]): Promise<Taken> {
    const taken: Count[] = [];
    const giveBack = () => this.giveBack(...taken.splice(0));
    for (const count of counts) {
      const [limit, of] = count;
      const seconds = await this.#limiter(count).take(this.nameOf(limit, of));
      if (seconds > 0) {
        if (limitRefusals.hasSubscribers) limitRefusals.publish({ limit } satisfies MeasuredRefusal);
        return { seconds, refused: limit, giveBack };
      }
      taken.push(count);
    }
    return { seconds: 0, giveBack };
  }

  async giveBack(...counts: readonly Count[]): Promise<void> {
    await Promise.all(counts.map((count) => this.#limiter(count).giveBack(this.nameOf(count[0], count[1]))));
  }

  async forget(...counts: readonly Count[]): Promise<void> {
    await Promise.all(counts.map((count) => this.#limiter(count).forget(this.nameOf(count[0], count[1]))));
  }

  pointsOf(limit: LimitName): number {
    return this.#parts.numbers[limit];
  }

  nameOf(limit: LimitName, of: string | readonly string[]): string {
    const { stored }: LimitRow = limitTable[limit];
    const name = typeof of === 'string' ? of : of.join(' ');
    if (stored === undefined) return name;
    if (stored === 'hash') return hash('sha256', name, 'base64url');
    const keyed = this.#hashes.get(stored) ?? new KeyedHash(this.#parts.masterKey, stored);
    this.#hashes.set(stored, keyed);
    return keyed.of(name);
  }

  #limiter([name, , points = this.pointsOf(name)]: Count): AttemptLimiter {
    const key = `${name} ${points}`;
    const opened = this.#opened.get(key);
    if (opened) return opened;
    const { windowSeconds, eachProcess }: LimitRow = limitTable[name];
    const limit = { points, windowSeconds };
    const limiter = eachProcess ? new MemoryAttemptLimiter(limit) : this.#parts.open(name, limit);
    this.#opened.set(key, limiter);
    return limiter;
  }
}
