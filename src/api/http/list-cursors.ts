import type { MasterKey } from '../../ground/master-key.ts';
import { resourceProblem } from './responses/api-errors.ts';
import { SignedValue } from '../../ground/signed-value.ts';

interface ListCursor<Place> {
  /** What the list is of: a team, or a question in canonical form. */
  readonly of: string;
  readonly place: Place;
}

/**
 * Cursors of one list. A cursor is authenticated, is good for what its list was of, and carries no authority: each
 * request is authorised again.
 */
export class ListCursors<Place> {
  readonly #sealed: SignedValue<ListCursor<Place>, readonly [string, Place]>;

  /** `list`: its name. Give it another one when the form of its places changes: a former cursor is then refused. */
  constructor(masterKey: MasterKey, list: string) {
    this.#sealed = new SignedValue(masterKey, `${list}-cursor`, {
      write: ({ of, place }) => [of, place] as const,
      read: ([of, place]) => ({ of, place }),
    });
  }

  seal(of: string, place: Place): string {
    return this.#sealed.seal({ of, place });
  }

  /** Where the list goes on. Undefined without a cursor. @throws Problem invalid_cursor */
  open(sealed: string | undefined, of: string): Place | undefined {
    if (sealed === undefined) return undefined;
    const cursor = this.#sealed.open(sealed);
    if (!cursor) throw invalidCursor('The cursor was not given out by this list, or was changed.');
    if (cursor.of !== of) throw otherList();
    return cursor.place;
  }
}

export const invalidCursor = (sentence: string) => resourceProblem('invalid_cursor', sentence);

export const otherList = () =>
  invalidCursor('The cursor belongs to another question: send the parameters of the page before.');
