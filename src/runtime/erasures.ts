import type { System } from '../container.ts';
import { replayErasures } from '../erasure/replay.ts';

/** Erases again whom a restored backup has brought back, before anything is served. Says how many. */
export async function eraseAgain(system: System, say: (line: string) => void = console.error): Promise<void> {
  const erased = await replayErasures(system, system.erasureLedger);
  if (erased.length > 0) {
    say(
      `${erased.length} data keys were in the vault that the erasure ledger says were destroyed. They are destroyed again.`,
    );
  }
}
