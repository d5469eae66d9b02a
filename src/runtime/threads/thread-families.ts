import type { Config } from '../../config.ts';
import type { Family } from '../../status/metric-families.ts';
import type { ThreadName } from './thread.ts';

/** In a thread: starts to measure it where metrics are asked for. Returns what it has measured, for `runUntilStopped`. */
export async function familiesOfThread(
  name: ThreadName,
  { metrics }: Pick<Config, 'metrics'>,
): Promise<() => Promise<readonly Family[]>> {
  if (!metrics) return () => Promise.resolve([]);
  const { startMeasuring } = await import('../operators/measuring.ts');
  const { measurements } = startMeasuring(name);
  return () => measurements.families();
}
