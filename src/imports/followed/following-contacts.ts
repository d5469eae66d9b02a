import type { SideStore, SideTable } from '../../stores/side/port.ts';

/** What came of the attempts to read a followed directory. The log has what they changed. */
export interface FollowingContact {
  /** Not before this time it is read again. ISO 8601 UTC. */
  readonly due_at: string;
  /** When it answered as it should, last. */
  readonly answered_at?: string;
  /** When it had a checkpoint that was new, last. */
  readonly signed_at?: string;
  /** The newest checkpoint that was checked: it may be newer than the one in the log, which has one for each change. */
  readonly checkpoint?: string;
  /** Of the answer of its feed at the cursor. */
  readonly etag?: { readonly cursor: string; readonly tag: string };
  /** Attempts in a row that failed, and why the last one did. */
  readonly failures: number;
  readonly problem?: string;
  /** What it took out lately, against a feed that empties a directory. */
  readonly gone?: { readonly since: string; readonly count: number };
}

/** It is read at the next opportunity. */
export const neverRead: FollowingContact = { due_at: new Date(0).toISOString(), failures: 0 };

/** So long it is kept: a subscription that nobody resumes begins to be read as if it were new. */
const keptMs = 400 * 24 * 60 * 60_000;

/** The contacts of all teams, by the ids of the followings. Without them everything is checked against the log. */
export class FollowingContacts {
  readonly #table: SideTable<FollowingContact>;

  constructor(side: Pick<SideStore, 'table'>) {
    this.#table = side.table('followings');
  }

  async get(id: string): Promise<FollowingContact> {
    return (await this.#table.get(id)) ?? neverRead;
  }

  put(id: string, contact: FollowingContact, now: Date): Promise<void> {
    return this.#table.put(id, contact, new Date(now.getTime() + keptMs));
  }

  /** It is read at once, by whichever process does that. */
  forget(id: string): Promise<void> {
    return this.#table.delete(id);
  }
}
