import type { JobLeases } from '../../ground/job.ts';
import { runCommandProcess } from './command-process.ts';

const dayMs = 24 * 60 * 60_000;
/** A process that was started a moment ago has read models to build, and people who wait for it. */
const settledMs = 10 * 60_000;

export interface Due {
  readonly now: Date;
  /** Since when this process looks. */
  readonly since: Date;
}

/** Whether a daily check is due: the newest is a day old, and this process has run for ten minutes. */
export const isDaily = (newestAt: string | undefined, { now, since }: Due): boolean =>
  newestAt !== undefined &&
  now.getTime() - Date.parse(newestAt) >= dayMs &&
  now.getTime() - since.getTime() >= settledMs;

/** What takes longer is stopped: the next one is due. */
const longestMs = 12 * 60 * 60_000;

/**
 * Runs one of our commands that read everything, in a process of its own that other work goes before. One at a time, over
 * all nodes: each of them needs the memory and the disk of the stores.
 */
export async function runLongCheck(
  leases: JobLeases,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof runCommandProcess>>> {
  const lease = await leases.acquire('long-check', signal);
  signal.throwIfAborted();
  if (!lease) throw new Error('The lease of the long checks was not given.');
  try {
    return await runCommandProcess(words, AbortSignal.any([signal, lease.lost]), {
      background: true,
      longestMs,
    });
  } finally {
    await lease.release();
  }
}
