import { StoreError } from '../../errors.ts';
import { replayType } from './scope.ts';
import type { Entry } from './server.ts';

/** Written when a group sets an event aside. */
export const parkedType = 'EventParked';

/** Where an event stands, and, of a parked one, why. */
export interface Parked {
  readonly event_id: string;
  /** Without the namespace. */
  readonly stream: string;
  readonly revision: number;
  readonly attempts: number;
  readonly reason: string;
  readonly at: string;
}

/**
 * What a group has set aside and not been given again, oldest first, by its parked stream.
 *
 * The server has a parked list of its own. A replay there takes all events off the list first and keeps them in
 * memory: what is not handled when the server stops is lost, and single events cannot be chosen.
 */
export function parkedBy(entries: readonly Entry[]): Map<string, Parked> {
  const parked = new Map<string, Parked>();
  for (const { type, data, metadata } of entries) {
    const { event_id: id } = data as Parked;
    parked.delete(id);
    if (type === parkedType) parked.set(id, { ...(data as Parked), at: String(metadata['at']) });
    else if (type !== replayType)
      throw new StoreError('incompatible', `A stream of parked events holds an event of type ${type}.`);
  }
  return parked;
}
