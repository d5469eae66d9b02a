import { z } from 'zod';
import type { MasterKey } from '../../../ground/master-key.ts';
import type { EventPlace } from '../../../stores/event-store/port.ts';
import { SignedValue } from '../../../ground/signed-value.ts';
import { invalidCursor } from '../../http/list-cursors.ts';
import { readParameters } from '../../http/read-parameters.ts';
import { listQuery } from '../list-query.ts';

/** The query of the feed of changes, checked and documented by one schema. */
export const changesQuery = z.strictObject({
  limit: listQuery.shape.limit,
  cursor: listQuery.shape.cursor.describe(
    'cursor of the answer before. Without it the feed begins at its beginning, which gives the whole directory.',
  ),
});

/** What is asked of the feed. Without an event, from the beginning. */
export interface ChangesQuery {
  readonly after: EventPlace | undefined;
  readonly limit: number;
}

/** How far a mirror has read. */
export interface ChangesCursor {
  /** The event of the last entry. Undefined before the first. */
  readonly after: EventPlace | undefined;
}

export type ChangesCursors = SignedValue<ChangesCursor, readonly string[]>;

/** Cursors of the feed: the event of the last entry, by which its log is known. They carry no authority. */
export const changesCursors = (masterKey: MasterKey): ChangesCursors =>
  new SignedValue<ChangesCursor, readonly string[]>(masterKey, 'changes-cursor', {
    write: ({ after }) => (after ? [String(after.position), after.id] : []),
    read: ([position, id]) => ({
      after: position === undefined || id === undefined ? undefined : { position: BigInt(position), id },
    }),
  });

/** Reads the query of a request. @throws Problem, BadQuery naming the parameter */
export function readChangesQuery(target: string, cursors: ChangesCursors): ChangesQuery {
  const { limit, cursor: sealed } = readParameters(target, changesQuery);
  const cursor = sealed === undefined ? { after: undefined } : cursors.open(sealed);
  if (cursor) return { ...cursor, limit };
  throw invalidCursor(
    'The cursor was not given out by this feed, or was changed. Start again without a cursor.',
  );
}
