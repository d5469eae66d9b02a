import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pause } from '../../ground/back-off.ts';

/** How often a thread looks whether it has memory to give back. */
const everyMs = 30_000;
/** A thread with less to do than this share of the time notices no pause. */
const idle = 0.1;
/** Less is not worth a pause, in bytes. */
const worthwhile = 32 * 1_048_576;

/**
 * Lets this thread give the memory of its heap back after long work, until the signal aborts. V8 does that after a whole
 * collection alone, which a thread that then has little to do never makes: after a rebuild the projector kept 210 MB for 60
 * in use. Looks twice a minute; while the thread is busy nothing happens.
 */
export async function giveBackWhenIdle(signal: AbortSignal, waitMs = everyMs): Promise<void> {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  let kept = 0;
  for (;;) {
    await pause(waitMs, signal);
    if (signal.aborted) return;
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    const size = getHeapStatistics().total_heap_size;
    if (utilization > idle || size - kept < worthwhile) continue;
    collect();
    kept = getHeapStatistics().total_heap_size;
  }
}

/** A whole collection. Takes some 50 to 100 ms. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
