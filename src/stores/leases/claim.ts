import type { Term } from './terms.ts';

/** A term that a client wants to begin, and the terms of that lease that it saw before, newest first. */
export interface Claim {
  readonly term: Term;
  readonly past: readonly Term[];
}

/**
 * Whether a term that was inserted is valid, judged by a second read. It is not valid when the first read came from
 * a server that was partitioned from the others: newer terms have come and gone, or the holder that seemed dead is
 * alive.
 */
export function isInForce({ term, past }: Claim, found: readonly Term[]): boolean {
  const [newest] = found;
  if (newest?.epoch !== term.epoch || newest.holder !== term.holder) return false;
  const [before] = past;
  if (before === undefined || before.holder === null) return true;
  const now = found.find(({ epoch }) => epoch === before.epoch);
  return now === undefined || now.beat === before.beat;
}
