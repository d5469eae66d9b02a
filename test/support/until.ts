import { setTimeout as pause } from 'node:timers/promises';

/**
 * Looks again and again until there is something; the test's own time limit ends it. The longer it waits, the less
 * often it looks: what it waits for often runs in the same process, and needs the CPU that looking takes.
 */
export async function until<Value>(
  look: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  const since = performance.now();
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== false) return value;
    await pause(Math.min(50, Math.max(2, (performance.now() - since) / 5)));
  }
}
