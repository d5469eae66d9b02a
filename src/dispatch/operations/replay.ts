import { commandDelivery, deliveryIdOf } from '../../commands/webhooks/delivery.ts';
import { upcast } from '../../events/catalogue.ts';
import type { CommandContext } from '../../events/metadata.ts';
import {
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';
import type { DispatchContext } from '../context.ts';
import { announcedTeam, announcedTypes, webhookEventOf, type PayloadSource } from '../payload-of-event.ts';
import { replayedAtMost } from '../delivery-policy.ts';
import { scheduleChosen } from '../schedule.ts';
import { partOf, requireSubscription } from './resend.ts';

/** From where on events are replayed: after a position of the log, or from a time on. */
export type ReplayStart = { readonly after: Position } | { readonly since: Date };

export interface ReplayRequest {
  readonly subscription: string;
  readonly from: ReplayStart;
  /** Events that happened after this time are left out. */
  readonly until?: Date;
  /** The most deliveries that are sent. Default: see policy.ts. */
  readonly atMost?: number;
}

export interface Replayed {
  /** Events that the subscription had never got. */
  readonly scheduled: number;
  /** Deliveries that had ended and are sent again. */
  readonly reopened: number;
  /** Deliveries that were waiting already. */
  readonly waiting: number;
  /** Deliveries of payments that were reversed. They are sent when somebody asks for one of them by itself. */
  readonly reversed: number;
  /** Everything at or before this was replayed. */
  readonly position: Position;
  /** Whether there are events after it: the limit was reached, or the replay was stopped. */
  readonly more: boolean;
}

/** Events that are read at a time. */
const pageSize = 200;

/**
 * Sends the events of the log to one subscription that it would have got with its present choice of events, from a
 * place on up to the newest event. A delivery has the same id as at its first time, so a receiver that has it already
 * recognises it.
 *
 * It can be continued: repeat it after the position that it returned. `onProgress`: the number of events that were read.
 */
export async function replay(
  dispatching: Pick<DispatchContext, 'store' | 'personal' | 'now'>,
  { subscription, from, until, atMost = replayedAtMost }: ReplayRequest,
  context: CommandContext,
  {
    onProgress,
    signal,
  }: { readonly onProgress?: (read: number) => void; readonly signal?: AbortSignal } = {},
): Promise<Replayed> {
  const { store } = dispatching;
  const current = await requireSubscription(store, subscription);
  const head = await store.head();
  const counts = { scheduled: 0, reopened: 0, waiting: 0, reversed: 0 };
  let position = startOf(from);
  let read = 0;
  while (position < head) {
    if (signal?.aborted || counts.scheduled + counts.reopened >= atMost)
      return { ...counts, position, more: true };
    const left = atMost - counts.scheduled - counts.reopened;
    const page = await store.readAll({
      after: position,
      filter: { types: announcedTypes },
      limit: Math.min(pageSize, left),
    });
    if (until && isLongAfter(page.events[0], until)) return { ...counts, position, more: false };
    const wanted = page.events.filter((event) => isWanted(event, current, { from, until }));
    const results = await Promise.all(wanted.map((event) => replayOne(dispatching, current, event, context)));
    for (const result of results) counts[result] += 1;
    read += page.events.length;
    onProgress?.(read);
    if (page.position <= position) break;
    position = page.position;
  }
  return { ...counts, position, more: false };
}

/** Whether a replay can go on behind a position. A store may refuse to read from one that no replay has returned. */
export const isReplayPlace = async (store: EventStore, after: Position): Promise<boolean> =>
  after === beginning || (await store.eventIdAt(after)) !== undefined;

/** How many events a replay would read. */
export const eventsToReplay = (store: EventStore, from: ReplayStart): Promise<number> =>
  store.count({ after: startOf(from), filter: { types: announcedTypes } });

const startOf = (from: ReplayStart): Position => ('after' in from ? from.after : beginning);

type Subscription = Awaited<ReturnType<typeof requireSubscription>>;

/** Times do not grow with the positions of the log where clocks differ, but none differ by this much. */
const clocksDifferMs = 3_600_000;

const timeOf = ({ metadata }: RecordedEvent): number => Date.parse(String(metadata['at']));

const isLongAfter = (event: RecordedEvent | undefined, until: Date): boolean =>
  event !== undefined && timeOf(event) > until.getTime() + clocksDifferMs;

function isWanted(
  event: RecordedEvent,
  { team, events }: Subscription,
  { from, until }: { readonly from: ReplayStart; readonly until: Date | undefined },
): boolean {
  const name = webhookEventOf(event.type);
  if (name === null || !events.includes(name)) return false;
  if ('since' in from && timeOf(event) < from.since.getTime()) return false;
  if (until && timeOf(event) > until.getTime()) return false;
  return announcedTeam(upcast(event) as PayloadSource) === team;
}

async function replayOne(
  dispatching: Pick<DispatchContext, 'store' | 'personal' | 'now'>,
  current: Subscription,
  event: RecordedEvent,
  context: CommandContext,
): Promise<'scheduled' | 'reopened' | 'waiting' | 'reversed'> {
  const name = webhookEventOf(event.type);
  if (name && (await scheduleChosen(dispatching, current, event, name, 'replay'))) return 'scheduled';
  const id = deliveryIdOf(event.id, current.subscription);
  const { events, state } = await commandDelivery(
    dispatching.store,
    id,
    { kind: 'resend', requestedBy: 'replay' },
    partOf(context, id),
  );
  if (events.length > 0) return 'reopened';
  return state?.status === 'reversed' ? 'reversed' : 'waiting';
}
