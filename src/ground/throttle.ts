import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** So long a piece of work goes on before it rests, in milliseconds. A request waits no longer than this for it. */
const sliceMs = 5;
/** What took longer has mostly waited for something, and others had the thread meanwhile. */
const longestRestMs = 25;

/** How much of a thread long work takes. */
export interface Share {
  /** In milliseconds. */
  readonly slice: number;
  /** By how much longer than a slice it rests after it. */
  readonly rest: number;
}

/** At most half of the thread. */
const half: Share = { slice: sliceMs, rest: 1 };

/** At most a quarter, for what nobody waits for: a page that asks for ten things waits some 3 ms for it, and not 13. */
export const quarter: Share = { slice: 2, rest: 3 };

/**
 * Lets long work take at most its share of a thread that also serves requests. Awaited after each small step: after a slice
 * it rests. Undefined: it need not rest yet.
 */
export function throttle({ slice, rest }: Share = half): () => Promise<void> | undefined {
  let began = performance.now();
  let resting: Promise<void> | undefined;
  return () => {
    const tookMs = performance.now() - began;
    if (resting || tookMs < slice) return resting;
    resting = sleep(Math.min(rest * tookMs, longestRestMs)).then(() => {
      resting = undefined;
      began = performance.now();
    });
    return resting;
  };
}

/** The same items. After each step of so many, other work of the thread has its turn, and half of the time is left to it. */
export async function* inSteps<Item>(items: AsyncIterable<Item>, step = 10): AsyncGenerator<Item> {
  const rest = throttle();
  let taken = 0;
  for await (const item of items) {
    if (++taken % step === 0) await (rest() ?? setImmediate());
    yield item;
  }
}
