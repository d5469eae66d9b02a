import { setTimeout as pause } from 'node:timers/promises';

/** Looks again and again until there is something; the test's own time limit ends it. */
export async function until<Value>(
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    await pause(2);
  }
}
