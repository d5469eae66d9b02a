import type { System } from '../container.ts';
import { replayErasures } from '../erasure/replay.ts';
import { endRestoredClaims } from '../erasure/restored-claims.ts';
import { eraseDue, eraseUnverified, finishErasures, untilLevel } from '../erasure/rounds.ts';
import { pause } from '../ground/back-off.ts';
import { NotYetVisible } from '../projections/engine/read-your-writes.ts';
import { startJob, type Job, type Supervision } from '../ground/job.ts';

/** How often accounts are looked for whose erasure is due, in milliseconds. */
const everyMs = 60_000;
/** In one of so many rounds it looks again at those who were erased, and for accounts that were never verified. */
const longRound = 10;

/** Erases again whom a restored backup has brought back, before anything is served. Says how many. */
export async function eraseAgain(
  system: System,
  say: (line: string) => void = (line) => console.error(line),
): Promise<void> {
  const erased = await replayErasures(system, system.erasureLedger);
  if (erased.length > 0) {
    say(
      `The vault had ${erased.length} data keys that the erasure ledger says were destroyed. They are destroyed again.`,
    );
  }
}

/** Starts the job of erasures. It runs in one process at a time. */
export function startErasures(system: System, supervision: Supervision): Job {
  return startJob(supervision, {
    name: 'erasures',
    lease: 'erasures',
    async work(signal, progress) {
      for (let round = 0; !signal.aborted; round++) {
        await tend(system, round);
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}

/** One round. Does nothing while the read models are behind: the next one finds the same. */
async function tend(system: System, round: number): Promise<void> {
  try {
    await untilLevel(system);
    await eraseDue(system, new Date());
    if (round % longRound > 0) return;
    await finishErasures(system, new Date(), { everybody: round === 0 });
    await eraseUnverified(system, new Date());
    await endRestoredClaims(system, system.erasureLedger, new Date());
  } catch (error) {
    if (!(error instanceof NotYetVisible)) throw error;
  }
}
