import { setTimeout as pause } from 'node:timers/promises';

/** The response time is rounded up to a multiple of this, so that it does not reveal what was done. */
const stepMs = 250;

/**
 * Does something and waits until a whole number of steps has passed. Whether an address has an account makes a
 * difference of milliseconds, which this hides.
 */
export async function inUniformTime<Result>(work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const passed = performance.now() - start;
    await pause(Math.ceil(passed / stepMs) * stepMs - passed);
  }
}
