import {
  followingStreamId,
  type FollowedEvent,
  type FollowingEvent,
  type PauseReason,
} from '../../../events/directory/upkeep/following.ts';
import type { ResourceSource } from '../../../events/directory/resource.ts';
import { sourceStreamId } from '../../../events/directory/source.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import { paginateAll } from '../../engine/paginate.ts';
import { sources } from '../sources.ts';
import { projection } from '../../engine/read-model.ts';

/** A directory that a team follows, or has followed. */
export interface FollowingDocument {
  readonly following: string;
  readonly team: string;
  /** The id of the source that it is. */
  readonly source: string;
  readonly address: string;
  /** The verifier key of its proof log that somebody has confirmed. */
  readonly vkey: string;
  readonly status: 'following' | 'paused' | 'ended';
  readonly why?: PauseReason;
  /** What was found, in a sentence. */
  readonly detail?: string;
  readonly began_at: string;
  /** Since when it is paused, or ended. */
  readonly since?: string;
  /** When changes of it were read last. */
  readonly changed_at?: string;
  /** The import in which they were. */
  readonly import?: string;
  /** The checkpoint of its proof log at which they were read: a signed note. */
  readonly checkpoint?: string;
  /** New records are public at once. */
  readonly approve: boolean;
}

export const followings = projection<FollowingDocument, FollowingEvent | FollowedEvent>({
  version: 1,
  events: [
    'FollowingBegun',
    'FollowedChangesRead',
    'FollowingKeyReplaced',
    'FollowingPaused',
    'FollowingResumed',
    'FollowingEnded',
  ],
  collection: {
    name: 'followings',
    fields: ['following', 'team', 'source', 'status'],
    indexes: [
      ['team', 'source'],
      ['status', 'following'],
    ],
  },
  idOf: ({ data }) => followingStreamId(data.team, data.source),
  fold(doc, event) {
    const { at } = event.metadata;
    if (event.type === 'FollowingBegun') {
      const { with_key: _, ...data } = event.data;
      const following = followingStreamId(data.team, data.source);
      return { following, ...data, status: 'following', began_at: at };
    }
    if (!doc) return undefined;
    const { why: _why, detail: _detail, since: _since, ...rest } = doc;
    switch (event.type) {
      case 'FollowedChangesRead': {
        const { import: id, checkpoint } = event.data;
        return { ...doc, changed_at: at, import: id, checkpoint };
      }
      case 'FollowingKeyReplaced':
        return { ...doc, vkey: event.data.vkey };
      case 'FollowingPaused': {
        const { why, detail } = event.data;
        return { ...rest, status: 'paused', why, ...(detail === undefined ? {} : { detail }), since: at };
      }
      case 'FollowingResumed':
        return { ...rest, status: 'following', ...event.data.anew };
      case 'FollowingEnded':
        return { ...rest, status: 'ended', since: at };
    }
  },
});

/** Those that are read, or that go on by themselves, of all teams. */
export async function activeFollowings(
  documents: Pick<Documents, 'collection'>,
): Promise<readonly FollowingDocument[]> {
  const of = (status: FollowingDocument['status']) =>
    paginateAll(documents.collection(followings.collection), {
      where: { status },
      orderBy: ['following'],
    });
  const [running, paused] = await Promise.all([of('following'), of('paused')]);
  return [...running, ...paused.filter(({ why }) => why === 'silent')];
}

/** From which followed directory a record came, as everybody may read it. */
export interface FollowedFrom {
  /** What the team calls the directory. */
  readonly directory: string;
  /** When changes of it were read last. ISO 8601 UTC. */
  readonly read_at: string;
}

/**
 * Undefined where the record did not come from a followed directory, or where the team has given it no name that can be shown:
 * an address is none, since it may hold what is secret.
 */
export async function followedFrom(
  documents: Pick<Documents, 'collection'>,
  { team, source }: { readonly team: string; readonly source?: ResourceSource | undefined },
): Promise<FollowedFrom | undefined> {
  if (source?.origin === undefined) return undefined;
  const [named, followed] = await Promise.all([
    documents.collection(sources.collection).get(sourceStreamId(team, source.system)),
    documents.collection(followings.collection).get(followingStreamId(team, source.system)),
  ]);
  if (named === undefined || followed?.changed_at === undefined) return undefined;
  const isName = named.name !== source.system && !/[@/\\?=]/.test(named.name);
  return isName ? { directory: named.name, read_at: followed.changed_at } : undefined;
}

/** Those of a team that have not ended. */
export const followingsOf = async (
  documents: Pick<Documents, 'collection'>,
  team: string,
): Promise<readonly FollowingDocument[]> => {
  const all = await paginateAll(documents.collection(followings.collection), {
    where: { team },
    orderBy: ['source'],
  });
  return all.filter(({ status }) => status !== 'ended');
};
