import { setTimeout as pause } from 'node:timers/promises';

/** Answers that must not tell by their time what was done come after a whole number of these. */
const stepMs = 250;

/**
 * Does something and waits until a whole number of steps has passed: whether an address has an account shows in
 * milliseconds of work, and these are rounded away.
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
