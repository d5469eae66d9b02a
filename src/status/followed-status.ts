import { pauseReasons, type PauseReason } from '../events/directory/upkeep/following.ts';
import { FollowingContacts } from '../imports/followed/following-contacts.ts';
import { followings, type FollowingDocument } from '../projections/directory/upkeep/followings.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { SideStore } from '../stores/side/port.ts';

/** As many of each state are looked at. */
export const followedCountedUpTo = 200;

/** The directories of other installations that teams follow, together. */
export interface FollowedStatus {
  /** Those that are read. Those that have ended are not among them, nor in `paused`. */
  readonly following: number;
  /** Those that are paused, by why. */
  readonly paused: Readonly<Record<PauseReason, number>>;
  /** When the one that has been silent longest answered last, or began to be followed. ISO 8601 UTC. Null: none is read. */
  readonly oldest_answer_at: string | null;
}

export async function followedStatus({
  documents,
  side,
}: {
  readonly documents: Pick<Documents, 'collection'>;
  readonly side: Pick<SideStore, 'table'>;
}): Promise<FollowedStatus> {
  const of = (status: FollowingDocument['status']): Promise<FollowingDocument[]> =>
    documents
      .collection(followings.collection)
      .page({ where: { status }, orderBy: ['following'], limit: followedCountedUpTo });
  const [running, stopped] = await Promise.all([of('following'), of('paused')]);
  const contacts = new FollowingContacts(side);
  const waiting = [...running, ...stopped.filter(({ why }) => why === 'silent')];
  const answers = await Promise.all(
    waiting.map(async ({ following, began_at }) => (await contacts.get(following)).answered_at ?? began_at),
  );
  const paused = Object.fromEntries(
    pauseReasons.map((reason) => [reason, stopped.filter(({ why }) => why === reason).length]),
  ) as Record<PauseReason, number>;
  return { following: running.length, paused, oldest_answer_at: answers.sort()[0] ?? null };
}
