import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** So long a piece of work goes on before it rests, in milliseconds. A request waits no longer than this for it. */
const sliceMs = 5;
/** What took longer has mostly waited for something, and others had the thread meanwhile. */
const longestRestMs = 25;

/**
 * Lets long work take at most half of a thread that also serves requests. Awaited after each small step: after a slice it
 * rests for as long. Undefined: it need not rest yet.
 */
export function throttle(): () => Promise<void> | undefined {
  let began = performance.now();
  let resting: Promise<void> | undefined;
  return () => {
    const tookMs = performance.now() - began;
    if (resting || tookMs < sliceMs) return resting;
    resting = sleep(Math.min(tookMs, longestRestMs)).then(() => {
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
