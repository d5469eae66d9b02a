import type { Documents } from '../../stores/documents/port.ts';
import { paginateAll } from '../engine/paginate.ts';
import { deliveries, type DeliveryDocument } from './deliveries.ts';
import { subscriptions, type SubscriptionDocument } from './subscriptions.ts';

/** A place in a list of deliveries: the time of its order, and the delivery. */
export type DeliveryPlace = readonly [at: string, delivery: string];

export interface DeliveryListQuery {
  readonly subscriptions: readonly string[];
  readonly status?: DeliveryDocument['status'] | undefined;
  /** Nothing before this time (ISO 8601 UTC). */
  readonly since?: string | undefined;
  /** Nothing after this time. */
  readonly until?: string | undefined;
  /** Continues after this place. */
  readonly after?: DeliveryPlace | undefined;
  readonly limit: number;
}

/** Subscriptions that are read at the same time. */
const concurrency = 20;

/**
 * The deliveries of some subscriptions, newest first: by the time of scheduling or, of one status, by the time at which
 * the newest attempt was due. So "failed since" means that the last attempt was due since then.
 *
 * A team has few subscriptions, so its list is merged from theirs: an index by team would cost every delivery.
 */
export async function listDeliveries(
  documents: Documents,
  { subscriptions: of, status, since, until, after, limit }: DeliveryListQuery,
): Promise<readonly DeliveryDocument[]> {
  const found = documents.collection(deliveries.collection);
  const time = timeOf(status);
  const newestFirst = (one: DeliveryDocument, other: DeliveryDocument) =>
    compare(placeOf(other, status), placeOf(one, status));
  let list: DeliveryDocument[] = [];
  for (let at = 0; at < of.length; at += concurrency) {
    const some = of.slice(at, at + concurrency).map((subscription) =>
      found.page({
        where: status === undefined ? { subscription } : { subscription, status },
        orderBy: [time, 'delivery'],
        descending: true,
        limit,
        ...(after ? { after } : until === undefined ? {} : { from: until }),
      }),
    );
    list = [list, ...(await Promise.all(some))].flat().sort(newestFirst).slice(0, limit);
  }
  return list.filter((doc) => since === undefined || doc[time] >= since);
}

/** The place of a delivery in a list of this status, or of all. */
export const placeOf = (doc: DeliveryDocument, status?: DeliveryDocument['status']): DeliveryPlace => [
  doc[timeOf(status)],
  doc.delivery,
];

/** Every subscription of a team, deleted ones too, because their deliveries can still be looked at. */
export const subscriptionsOfTeam = (documents: Documents, team: string): Promise<SubscriptionDocument[]> =>
  paginateAll(documents.collection(subscriptions.collection), { where: { team }, orderBy: ['subscription'] });

const timeOf = (status: DeliveryDocument['status'] | undefined) =>
  status === undefined ? 'scheduled_at' : 'next_attempt_at';

const compare = (one: DeliveryPlace, other: DeliveryPlace): number =>
  text(one[0], other[0]) || text(one[1], other[1]);

const text = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
