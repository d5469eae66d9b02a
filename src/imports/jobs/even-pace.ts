import { setTimeout as sleep } from 'node:timers/promises';

/** So long an import works before it rests, in milliseconds. A request waits no longer than this for it. */
const sliceMs = 5;

/** Lets an import take at most half of the thread that also serves requests: after each slice it rests for as long. */
export function evenPace(): () => Promise<void> | undefined {
  let began = performance.now();
  let resting: Promise<void> | undefined;
  return () => {
    const tookMs = performance.now() - began;
    if (resting || tookMs < sliceMs) return resting;
    resting = sleep(tookMs).then(() => {
      resting = undefined;
      began = performance.now();
    });
    return resting;
  };
}
