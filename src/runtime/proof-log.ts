import { ensureLogKey, logNameOf } from '../audit/proof-log/format/log-key.ts';
import { tendLogKey } from '../audit/proof-log/rotate-log-key.ts';
import { recordNewLogs, switchToNewLogs } from '../audit/proof-log/new-log.ts';
import { refuseContradiction, sealNewest } from '../audit/proof-log/sealed-tree.ts';
import { Signer } from '../audit/proof-log/signer.ts';
import type { System } from '../container.ts';
import { pause } from '../ground/back-off.ts';
import type { JobOptions } from '../ground/job.ts';

/**
 * How often new events are looked for. Rounds cost less than a subscription, which would wake the thread for every
 * append: at a hundred appends a second it is one read of a hundred events.
 */
const growEveryMs = 1_000;

/** How often the keys are looked at while nothing is signed. */
const tendEveryMs = 60_000;

/** How long a stopping server still reads events for its last checkpoint. The rest is signed after the next start. */
const lastRoundMs = 2_000;

export interface SigningOptions {
  /** The time between two checkpoints. */
  readonly everyMs: number;
  readonly now?: () => Date;
  /** Waits so long, or less when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * The work of the job that keeps the proof log: adds events to the tree every second, and signs a checkpoint when there
 * are new ones, at most every `everyMs`, and when it stops.
 */
export const signProofLog =
  (
    { store, proofLog, vault, installation, leases, config }: System,
    { everyMs, now = () => new Date(), wait = pause }: SigningOptions,
  ): JobOptions['work'] =>
  async (signal, progress, epoch) => {
    const name = logNameOf(config.baseUrl, await installation.ensureId());
    const sealing = { vault, proofLog };
    // After a restore, or what a killed process has begun. The event follows, and is in the new log.
    await switchToNewLogs(sealing, epoch);
    await refuseContradiction(sealing);
    const made = await ensureLogKey(vault, name, proofLog);
    const tend = () => tendLogKey({ store, installation, vault, proofLog, leases }, now());
    const key = (await tend()) ?? made;
    const log = proofLog.log((await proofLog.ended()).length);
    const signer = await Signer.open({ store, proofLog: log, key, epoch }, signal);
    let tendedAt = now().getTime();
    /** The key may be rotated at any time, and a former one ends when its time has come. */
    const useNewestKey = async () => {
      signer.use((await tend()) ?? key);
      tendedAt = now().getTime();
    };
    await recordNewLogs({ store, vault, installation }, now());
    const sign = async (): Promise<boolean> => {
      if (signer.waiting > 0) {
        await refuseContradiction(sealing);
        await useNewestKey();
      }
      if (!(await signer.sign(now()))) return false;
      await sealNewest(sealing);
      return true;
    };
    await sealNewest(sealing);
    let signedAt = -Infinity;
    while (!signal.aborted) {
      await signer.grow(now, signal);
      if (now().getTime() - signedAt >= everyMs && (await sign())) signedAt = now().getTime();
      if (now().getTime() - tendedAt >= tendEveryMs) await useNewestKey();
      progress.succeeded();
      await wait(growEveryMs, signal);
    }
    await signer.grow(now, AbortSignal.timeout(lastRoundMs));
    await sign();
  };

/** The job that keeps the proof log. One process at a time does it. */
export const proofLogJob = (system: System): JobOptions => ({
  name: 'proof-log',
  lease: 'proof-log',
  work: signProofLog(system, { everyMs: system.config.checkpoints.everyMs }),
});
