import { readFileSync } from 'node:fs';
import { pause } from '../../../ground/back-off.ts';

/** A rebuild rests when its thread waited for a processor for more than this part of the time: others want it too. */
const crowded = 0.1;
const longestRestMs = 100;

/**
 * Makes a rebuild give way to requests. After each round it looks for how long this thread has waited for a processor.
 * When others want the processors too, it rests for as long as it worked, so that it takes at most half of one; on an
 * idle machine it does not rest at all.
 *
 * The event loop of this thread says nothing about the others: a thread that has slept is scheduled first. What the
 * scheduler counts does.
 */
export class GiveWay {
  readonly #waitedMs: () => number | undefined;
  #waited: number | undefined;
  #at = performance.now();

  /** `waitedMs`: how long this thread has waited for a processor, in total. Undefined where that is not known. */
  constructor(waitedMs: () => number | undefined = waitedForProcessor) {
    this.#waitedMs = waitedMs;
    this.#waited = waitedMs();
  }

  /** Awaited after each round. */
  async rest(signal: AbortSignal): Promise<void> {
    const waited = this.#waitedMs();
    const tookMs = performance.now() - this.#at;
    const isCrowded =
      waited !== undefined && this.#waited !== undefined && waited - this.#waited > crowded * tookMs;
    if (isCrowded) await pause(Math.min(tookMs, longestRestMs), signal);
    this.#waited = this.#waitedMs();
    this.#at = performance.now();
  }
}

/** Linux counts it in nanoseconds, second in this file (Documentation/scheduler/sched-stats). */
function waitedForProcessor(): number | undefined {
  try {
    const [, waited] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return undefined;
  }
}
