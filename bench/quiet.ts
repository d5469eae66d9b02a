import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The machine is watched for so long. */
const watchedMs = 1_000;
/** Others that take less of the processors change no ratio by more than the spread of its rounds. */
const quietBelow = 0.1;

/**
 * What part of the processors others take while the bench does nothing, from 0 to 1. Load averages tell of the last
 * minute, in which the bench itself was at work.
 */
export async function takenByOthers(): Promise<number> {
  const before = times();
  await sleep(watchedMs);
  const after = times();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

export const isQuiet = (taken: number): boolean => taken < quietBelow;

function times(): { readonly idle: number; readonly all: number } {
  const each = cpus().map(({ times: { user, nice, sys, idle, irq } }) => ({
    idle,
    all: user + nice + sys + idle + irq,
  }));
  return { idle: sum(each.map(({ idle }) => idle)), all: sum(each.map(({ all }) => all)) };
}

const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);
