import { eventTypes } from '../../events/catalogue.ts';
import { StoreError } from '../../stores/errors.ts';
import type { Documents } from '../../stores/documents/port.ts';
import {
  beginning,
  pagesOf,
  type EventFilter,
  type EventPlace,
  type EventStore,
  type Position,
} from '../../stores/event-store/port.ts';
import { filterOf, nameOf, type AnyProjection } from './read-model.ts';

/** The section of the documentation that error messages refer to. */
export const remedy = 'docs/backup.md, "Restore"';

export interface LogIdentityParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly projections: readonly AnyProjection[];
  /** Consumer groups whose positions are stored outside the log. */
  readonly groups: readonly string[];
  /** The id of the log's installation. Undefined while it has none. */
  readonly installation: string | undefined;
}

/** A read model or a consumer group: it continues from a stored position. */
interface Follower {
  readonly what: 'read models' | 'consumer groups';
  readonly checkpoint: Position;
  readonly lastEvent: EventPlace | undefined;
  readonly filter: EventFilter | undefined;
}

/**
 * Refuses a log that the read models or consumer groups were not made from. They continue from stored positions, which
 * are valid in one log only. With a different log, or with a restored older backup that has new events since, they
 * would skip events silently.
 *
 * Checks the installation's id, and the last event that each follower has handled: it must be at the same position, and
 * there must be no event for the follower between it and the follower's checkpoint.
 *
 * @throws StoreError incompatible, naming the remedy
 */
export async function refuseOtherLog(
  parts: LogIdentityParts,
  where: { readonly log: string; readonly readModels: string },
): Promise<void> {
  const refuse = (what: Follower['what'], why: string) => {
    const named = what === 'read models' ? `The read models (${where.readModels})` : 'The consumer groups';
    throw new StoreError(
      'incompatible',
      `${named} ${why} (${where.log}). Going on would skip events, so nothing was started and nothing was changed. Check that the settings name the log that belongs to them, and start the release that served last. If an older log was put back: ${remedy}.`,
    );
  };
  const other = await ofAnotherLog(parts);
  if (other) refuse(other, 'were made from another log');
  const followers = await followersOf(parts);
  const head = await parts.store.head();
  for (const { what, checkpoint } of followers)
    if (checkpoint > head) refuse(what, 'are ahead of the log, as after an older backup of it was restored');
  const diverged = await divergedFrom(parts.store, followers);
  if (diverged)
    refuse(diverged, 'know events that the log does not have, as after an older backup of it was restored');
}

/** Whether the read models or the consumer groups are recorded as made from a different log. */
async function ofAnotherLog({
  store,
  documents,
  groups,
  installation,
}: LogIdentityParts): Promise<Follower['what'] | undefined> {
  // An empty log: no server has used it yet.
  if (installation === undefined) return undefined;
  if ((await documents.recordSourceLog(installation)) !== installation) return 'read models';
  if (groups.length > 0 && (await store.recordGroupLog(installation)) !== installation)
    return 'consumer groups';
  return undefined;
}

async function followersOf({
  store,
  documents,
  projections,
  groups,
}: LogIdentityParts): Promise<readonly Follower[]> {
  const progress = await documents.progress();
  const readModels = projections.flatMap((projection): Follower[] => {
    const at = progress.get(nameOf(projection));
    if (!at) return [];
    const { filter } = filterOf(projection);
    return [{ what: 'read models', checkpoint: at.checkpoint, lastEvent: at.lastEvent, filter }];
  });
  const places = await Promise.all(groups.map((group) => store.groupPlaces(group)));
  const consumers = places.flat().map(({ checkpoint, lastEvent, filter }): Follower => ({
    what: 'consumer groups',
    checkpoint,
    lastEvent,
    filter,
  }));
  return [...readModels, ...consumers];
}

/** Finds followers that have handled events which are not in the log. */
async function divergedFrom(
  store: EventStore,
  followers: readonly Follower[],
): Promise<Follower['what'] | undefined> {
  let verified: Position = beginning;
  for (const { what, lastEvent } of followers) {
    if (!lastEvent) continue;
    if ((await store.eventIdAt(lastEvent.position)) !== lastEvent.id) return what;
    if (lastEvent.position > verified) verified = lastEvent.position;
  }
  // Up to `verified` it is the same log. Between there and a follower's checkpoint there must be no event for it.
  const further = followers.filter(({ checkpoint, lastEvent }) => lastEvent && checkpoint > verified);
  const last = further.reduce((most, { checkpoint }) => (checkpoint > most ? checkpoint : most), verified);
  const filter = { types: eventTypes };
  for await (const { events } of pagesOf(store, { after: verified, upTo: last, filter, limit: 1_000 })) {
    for (const event of events) {
      const skips = further.find(
        ({ checkpoint, filter }) =>
          event.position <= checkpoint &&
          (!filter || ('types' in filter && filter.types.includes(event.type))),
      );
      if (skips) return skips.what;
    }
  }
  return undefined;
}
