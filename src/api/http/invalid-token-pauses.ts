import { channel } from 'node:diagnostics_channel';
import { LRUCache } from 'lru-cache';
import { limitTable } from '../../tables/limits.ts';
import { doubled } from '../../ground/back-off.ts';
import { entries } from '../../ground/capacity.ts';

/** So many invalid tokens within so long pause the network they come from, */
const { points: attemptsAllowed, windowSeconds } = limitTable['invalid-tokens'];
/** for so long, twice as long each further time. After the longest time without a pause, the next counts as the first. */
const pauses = { firstMs: 60_000, longestMs: 15 * 60_000 };
/** The most networks that are remembered. The one that was quiet for longest is forgotten first. */
const networksKept = 50_000;

/** A pause that begins, for metrics. While nobody listens, nothing is published. */
export const networkPauses = channel('commonweal:network-pause');

interface NetworkRecord {
  /** Times of the newest invalid attempts. */
  attempts: number[];
  pausedUntil: number;
  /** Length of the newest pause. */
  pauseMs: number;
}

/**
 * Pauses networks that keep sending invalid tokens (interface 5.5). Only invalid attempts are checked: a valid key is
 * served from every network. Kept in memory by each process.
 */
export class InvalidTokenPauses {
  readonly #networks = new LRUCache<string, NetworkRecord>(entries(networksKept));

  /** Counts an invalid attempt. Returns for how many milliseconds the network is paused; 0 when it is not. */
  invalid(network: string, now: number): number {
    const record = this.#recordOf(network);
    if (now < record.pausedUntil) return record.pausedUntil - now;

    record.attempts = [...record.attempts.filter((at) => at > now - windowSeconds * 1_000), now];
    if (record.attempts.length >= attemptsAllowed) {
      const fresh = record.pauseMs === 0 || now - record.pausedUntil > pauses.longestMs;
      record.pauseMs = doubled(fresh ? undefined : record.pauseMs, pauses);
      record.pausedUntil = now + record.pauseMs;
      record.attempts = [];
      networkPauses.publish({ pauseMs: record.pauseMs });
    }
    return 0;
  }

  #recordOf(network: string): NetworkRecord {
    const existing = this.#networks.get(network);
    if (existing) return existing;
    const fresh: NetworkRecord = { attempts: [], pausedUntil: 0, pauseMs: 0 };
    this.#networks.set(network, fresh);
    return fresh;
  }
}
