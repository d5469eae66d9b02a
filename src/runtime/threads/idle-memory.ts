import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { pause } from '../../ground/back-off.ts';
import { giveBackMemory } from '../../stores/thread-memory.ts';

/**
 * How often a thread looks whether it has memory to give back: so long it has then had little to do. What it had compiled
 * goes too, and requests after that cost a third more for a while, so breaks between requests do not count.
 */
const everyMs = 120_000;
/** The same until it has done so once: half of the heap is then what loading modules has left. */
const atStartMs = 3_000;
/** A thread with less to do than this share of the time notices no pause. */
const idle = 0.1;
/** Less is not worth a pause, in bytes. */
const worthwhile = 32 * 1_048_576;

/**
 * Lets this thread give the memory of its heap back after its start and after long work, until the signal aborts. V8 does
 * that after a whole collection alone, which a thread that then has little to do never makes: after a rebuild the projector
 * kept 210 MB for 60 in use. While the thread is busy nothing happens.
 */
export async function giveBackWhenIdle(
  signal: AbortSignal,
  waits: { readonly atStartMs: number; readonly everyMs: number } = { atStartMs, everyMs },
): Promise<void> {
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  let kept = 0;
  for (;;) {
    await pause(kept === 0 ? waits.atStartMs : waits.everyMs, signal);
    if (signal.aborted) return;
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    const size = getHeapStatistics().total_heap_size;
    if (utilization > idle || size - kept < worthwhile) continue;
    giveBackMemory();
    kept = getHeapStatistics().total_heap_size;
  }
}
