import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pause } from '../ground/back-off.ts';
import { rounds, type MeasuredRound } from '../projections/engine/tail.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';

/** Events that each read model folds in a second, by its stored name. */
type Rates = Readonly<Record<string, number>>;

/** A rate is the average of this time. It is written this often while there is something to fold. */
const everyMs = 5_000;

const table = (side: SideStore): SideTable<Rates> => side.table<Rates>('projection-rates');

/** Writes how fast this process folds, so that `status` in any process can show it. Resolves when the signal aborts. */
export async function tellRates(side: SideStore, signal: AbortSignal): Promise<void> {
  let folded = new Map<string, number>();
  const listener = (message: unknown) => {
    for (const [name, count] of (message as MeasuredRound).folded)
      folded.set(name, (folded.get(name) ?? 0) + count);
  };
  subscribe(rounds.name, listener);
  while (!signal.aborted) {
    const began = performance.now();
    await pause(everyMs, signal);
    if (folded.size === 0) continue;
    const seconds = (performance.now() - began) / 1_000;
    const rates = Object.fromEntries(
      [...folded].map(([name, count]) => [name, Math.round((count / seconds) * 10) / 10]),
    );
    folded = new Map();
    // When the side store is down, health says so.
    await table(side)
      .put('now', rates, new Date(Date.now() + 2 * everyMs))
      .catch(() => undefined);
  }
  unsubscribe(rounds.name, listener);
}

/** Nothing for a read model that has had nothing to fold for some seconds. */
export const ratesNow = async (side: SideStore): Promise<Rates> => (await table(side).get('now')) ?? {};
