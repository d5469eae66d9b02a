import type { Term } from './terms.ts';

/** A term that somebody would begin, and what was seen of that lease before, the newest first. */
export interface Claim {
  readonly term: Term;
  readonly past: readonly Term[];
}

/**
 * Whether a term that was begun counts, by what is found after that. It does not when what it rests on was seen
 * at a server that had been cut off from the others: when newer terms had come and gone, or the holder that
 * seemed to be gone is alive.
 */
export function isInForce({ term, past }: Claim, found: readonly Term[]): boolean {
  const [newest] = found;
  if (newest?.epoch !== term.epoch || newest.holder !== term.holder) return false;
  const [before] = past;
  if (before === undefined || before.holder === null) return true;
  const now = found.find(({ epoch }) => epoch === before.epoch);
  return now === undefined || now.beat === before.beat;
}
