import { setImmediate } from 'node:timers/promises';

/** So long somebody else works in each turn of the event loop, in milliseconds of processor time. */
const turnMs = 1;

/**
 * The part of this thread that somebody gets who has something to do in each turn of the event loop while something else is
 * done, from 0 to 1. In processor time: a machine on which others work too makes little difference.
 */
export async function shareOfOthers(work: () => Promise<unknown>): Promise<number> {
  const done = new AbortController();
  let othersMs = 0;
  const began = processorMs();
  const working = work().finally(() => done.abort());
  while (!done.signal.aborted) {
    const turn = processorMs();
    while (processorMs() - turn < turnMs);
    othersMs += processorMs() - turn;
    await setImmediate();
  }
  await working;
  return othersMs / (processorMs() - began);
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
