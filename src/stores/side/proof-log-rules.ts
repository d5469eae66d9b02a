/** What both adapters check. */
import { StoreError } from '../errors.ts';
import type { EndedLog, TilePlace } from './proof-log-port.ts';

/** The longer form of a tile, or undefined when neither form is the beginning of the other. */
export function grown(stored: Uint8Array | undefined, proposed: Uint8Array): Uint8Array | undefined {
  if (stored === undefined) return proposed;
  const shared = Math.min(stored.length, proposed.length);
  if (Buffer.compare(stored.subarray(0, shared), proposed.subarray(0, shared)) !== 0) return undefined;
  return proposed.length > stored.length ? proposed : stored;
}

export const changedTile = ({ level, index }: TilePlace): StoreError =>
  new StoreError(
    'incompatible',
    `The proof log holds other hashes in tile ${index} of level ${level} than the events give now: the events or the proof log were changed.`,
  );

export const superseded = (size: number | undefined): StoreError =>
  new StoreError(
    'fenced',
    `Another process signs the proof log: its newest checkpoint is of ${size ?? 0} entries.`,
  );

export const hasEnded = (number: number): StoreError =>
  new StoreError(
    'fenced',
    `The proof log ${number + 1} has ended, and another one goes on: nothing is signed in it any more.`,
  );

/**
 * Whether a log has ended already as it is to end now.
 * @throws StoreError fenced, when it ended in another way, or is not the newest one
 */
export function endedAlready(
  ended: readonly Pick<EndedLog, 'successor'>[],
  number: number,
  { successor }: EndedLog,
): boolean {
  if (ended.length === number) return false;
  if (ended[number]?.successor === successor) return true;
  throw hasEnded(number);
}

/** What is added to the names of the tables of a log: nothing for the first. */
export const suffixOf = (number: number, separator: string): string =>
  number === 0 ? '' : `${separator}${number}`;
