import { channel } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';

/** The response time is rounded up to a multiple of this, so that it does not reveal what was done. */
const defaultStepMs = 250;

/** How long the work took before it was rounded up, in milliseconds. */
export const uniformWork = channel('commonweal:uniform-work');

/** The step of answers that must not reveal what was done, in milliseconds. Default: 250. */
export interface UniformTiming {
  readonly uniformStepMs?: number;
}

/**
 * Does something and waits until a whole number of steps has passed. The work itself does as much for every address, so
 * that on a busy machine none needs another step more often; what is left are milliseconds, which this hides.
 */
export async function inUniformTime<Result>(
  { uniformStepMs: stepMs = defaultStepMs }: UniformTiming,
  work: () => Promise<Result>,
): Promise<Result> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const passed = performance.now() - start;
    uniformWork.publish(passed);
    await pause(Math.ceil(passed / stepMs) * stepMs - passed);
  }
}
