import { z } from 'zod';
import { notFollowed } from '../../../commands/directory/upkeep/following.ts';
import { defined } from '../../../ground/defined.ts';
import { FollowingContacts } from '../../../imports/followed/following-contacts.ts';
import { followings, type FollowingDocument } from '../../../projections/directory/upkeep/followings.ts';
import type { ActionParts } from '../../action.ts';
import type { Listing } from '../../listing.ts';

/** A followed directory with what came of reading it. */
export interface SeenFollowing extends FollowingDocument {
  readonly answered_at?: string | undefined;
  /** Why it could not be read last. */
  readonly problem?: string | undefined;
}

/** The directories that a team follows or has followed. */
export const followingList: Listing<FollowingDocument, SeenFollowing> = {
  name: 'directory-followings',
  right: 'import records',
  readModel: followings,
  orderBy: ['source'],
  id: z.uuid(),
  none: notFollowed,
  open: (parts, docs) => withContacts(parts, docs),
};

/** The same documents, each with what came of reading it. */
export const withContacts = (
  parts: Pick<ActionParts, 'side'>,
  docs: readonly FollowingDocument[],
): Promise<SeenFollowing[]> =>
  Promise.all(
    docs.map(async (doc) => {
      const { answered_at, problem } = await contactsOf(parts).get(doc.following);
      return { ...doc, ...defined({ answered_at, problem }) };
    }),
  );

/** What came of the attempts to read followed directories. */
export const contactsOf = ({ side }: Pick<ActionParts, 'side'>): FollowingContacts =>
  new FollowingContacts(side);
