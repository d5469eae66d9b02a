import { LRUCache } from 'lru-cache';

/** So many invalid tokens … */
const attemptsAllowed = 20;
/** … within this time pause the network they come from, */
const withinMs = 5 * 60_000;
/** for this long the first time, twice as long each time after, */
const firstPauseMs = 60_000;
/** up to this; and after as long without a pause the next one is a first again. */
const longestPauseMs = 15 * 60_000;
/** Networks remembered; beyond, the one that was quiet for longest is forgotten. */
const networksKept = 50_000;

interface NetworkRecord {
  /** Times of the newest invalid attempts. */
  attempts: number[];
  pausedUntil: number;
  /** Length of the newest pause. */
  pauseMs: number;
}

/**
 * Pauses of networks that keep sending invalid tokens (interface 5.5). Only invalid attempts ask here: whoever
 * has a good key is served wherever it comes from. Kept in memory, by each process for itself.
 */
export class InvalidTokenPauses {
  readonly #networks = new LRUCache<string, NetworkRecord>({ max: networksKept });

  /** Counts an invalid attempt; returns the milliseconds for which the network is paused, 0 when it is not. */
  invalid(network: string, now: number): number {
    const record = this.#recordOf(network);
    if (now < record.pausedUntil) return record.pausedUntil - now;

    record.attempts = [...record.attempts.filter((at) => at > now - withinMs), now];
    if (record.attempts.length >= attemptsAllowed) {
      const fresh = record.pauseMs === 0 || now - record.pausedUntil > longestPauseMs;
      record.pauseMs = fresh ? firstPauseMs : Math.min(record.pauseMs * 2, longestPauseMs);
      record.pausedUntil = now + record.pauseMs;
      record.attempts = [];
    }
    return 0;
  }

  #recordOf(network: string): NetworkRecord {
    const known = this.#networks.get(network);
    if (known) return known;
    const fresh: NetworkRecord = { attempts: [], pausedUntil: 0, pauseMs: 0 };
    this.#networks.set(network, fresh);
    return fresh;
  }
}
