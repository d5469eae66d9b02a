import { CommandRefused } from '../ground/refusals.ts';
import type { Lease, Leases } from '../stores/leases/port.ts';

/** A team has one import, or one undoing, at a time, whichever process does it: this lease. */
export const importLeaseOf = (team: string): string => `import-${team}`;

/** How long a team waits for its lease: somebody may be looking whether it is free. */
export const leaseWaitMs = 1_000;

/** Does the work while no other import of the team runs. `lost`: the work must stop. @throws CommandRefused conflict, when one does */
export async function oneAtATime<Result>(
  leases: Leases,
  team: string,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lease: Lease | undefined = await leases.acquire(
    importLeaseOf(team),
    AbortSignal.timeout(leaseWaitMs),
  );
  if (!lease)
    throw new CommandRefused('conflict', 'An import of your team is running. Try again when it has ended.');
  try {
    return await work(lease.lost);
  } finally {
    await lease.release();
  }
}

/** An import, or another piece of work on many records of a team. */
export interface WorkOfTeam {
  readonly team: string;
  /** Also the correlation id of all its events. */
  readonly id: string;
}

/** By what the side store has what is kept of it. */
export const workKey = ({ team, id }: WorkOfTeam): string => `${team}/${id}`;
