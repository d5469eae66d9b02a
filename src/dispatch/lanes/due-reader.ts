import { setTimeout as sleep } from 'node:timers/promises';
import { upcast } from '../../events/catalogue.ts';
import { streamId } from '../../events/define.ts';
import { deliveryStream, type DeliveryEvent } from '../../events/webhooks/webhook.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { NotYetVisible, visible } from '../../projections/engine/read-your-writes.ts';
import { beginning, type Position } from '../../stores/event-store/port.ts';
import type { DispatchContext } from '../context.ts';

/** How long a page waits for the read model. After that the log is read as well. */
const stalledAfterMs = 1_000;
/** A read model that stood still is not waited for again within this time, unless it has moved. */
const notAgainMs = 10_000;
/** Pages of the log that are read for one page of due deliveries, so that other lanes have their turn. */
const logPages = 5;
const logPageSize = 1_000;

/** The place in a scan of a subscription's pending deliveries. */
export type ScanPlace =
  | {
      readonly in: 'read model';
      readonly generation: number;
      readonly checkpoint: Position;
      /** `next_attempt_at` and id of the last row. */
      readonly after?: readonly [string, string];
    }
  | { readonly in: 'log'; readonly after: Position };

export interface PageRequest {
  readonly subscription: string;
  /** Absent for the first page of a scan. */
  readonly place?: ScanPlace | undefined;
  /** The scan shows everything up to this position. */
  readonly upTo: Position;
  readonly limit: number;
}

export interface DuePage {
  /** Perhaps with deliveries that are no longer pending: their attempts read their streams. */
  readonly due: readonly string[];
  /** Where the scan goes on. Absent at its end. */
  readonly next?: ScanPlace;
  /** When the first delivery is due that this page has seen and not given, in milliseconds. */
  readonly nextDue: number;
  /** Nothing after this position can have been on the page. */
  readonly shownTo: Position;
}

/**
 * Reads pages of due deliveries from the read model, and what it does not show yet from the log: a projection that
 * stands still delays nothing for long.
 */
export class DueReader {
  readonly #dispatching: DispatchContext;
  #stalled: { readonly checkpoint: Position; readonly since: number } | undefined;

  constructor(dispatching: DispatchContext) {
    this.#dispatching = dispatching;
  }

  async page(request: PageRequest): Promise<DuePage> {
    const place = request.place ?? (await this.#begin(request.upTo));
    return place.in === 'log' ? this.#ofLog(request, place.after) : this.#ofReadModel(request, place);
  }

  async #begin(upTo: Position): Promise<ScanPlace> {
    let serving = await this.#serving();
    if ((serving?.checkpoint ?? beginning) < upTo && !this.#standsStill(serving?.checkpoint)) {
      try {
        await visible(this.#dispatching.documents, [name], upTo, stalledAfterMs);
        this.#stalled = undefined;
      } catch (error) {
        if (!(error instanceof NotYetVisible)) throw error;
        const { checkpoint = beginning } = (await this.#serving()) ?? {};
        this.#stalled = { checkpoint, since: performance.now() };
      }
      serving = await this.#serving();
    }
    if (!serving) return { in: 'log', after: beginning };
    return { in: 'read model', generation: serving.generation, checkpoint: serving.checkpoint };
  }

  #standsStill(checkpoint: Position = beginning): boolean {
    return this.#stalled?.checkpoint === checkpoint && performance.now() - this.#stalled.since < notAgainMs;
  }

  async #serving() {
    return (await this.#dispatching.documents.progress()).get(name);
  }

  async #ofReadModel(
    request: PageRequest,
    place: Extract<ScanPlace, { in: 'read model' }>,
  ): Promise<DuePage> {
    const { documents, now, store } = this.#dispatching;
    const { subscription, limit, upTo } = request;
    const rows = await documents.collection(deliveries.collection).select(
      {
        where: { subscription, status: 'pending' },
        orderBy: ['next_attempt_at', 'delivery'],
        limit,
        ...(place.after ? { after: place.after } : {}),
      },
      ['delivery', 'next_attempt_at'],
    );
    // A generation that was switched in between may be behind the one that was begun with.
    if ((await this.#serving())?.generation !== place.generation)
      return this.page({ ...request, place: undefined });
    const at = now().getTime();
    const due = rows.filter(({ next_attempt_at }) => Date.parse(next_attempt_at) <= at);
    const later = rows[due.length];
    const last = due.at(-1);
    // The head, because documents can be ahead of their checkpoint.
    const shown = { due: due.map(({ delivery }) => delivery), shownTo: await store.head() };
    if (!later && rows.length === limit && last)
      return {
        ...shown,
        nextDue: Infinity,
        next: { ...place, after: [last.next_attempt_at, last.delivery] },
      };
    return {
      ...shown,
      nextDue: later ? Date.parse(later.next_attempt_at) : Infinity,
      ...(place.checkpoint < upTo ? { next: { in: 'log', after: place.checkpoint } } : {}),
    };
  }

  async #ofLog({ subscription, limit, upTo }: PageRequest, from: Position): Promise<DuePage> {
    const { store, now } = this.#dispatching;
    const found = new Map<string, number>();
    const filter = { types: deliveries.events };
    let after = from;
    for (let pages = 0; pages < logPages && after < upTo && found.size < limit; pages++) {
      if (pages > 0) await sleep(0);
      const { events, position } = await store.readAll({ after, filter, limit: logPageSize });
      let at = position;
      for (const recorded of events) {
        const event = upcast(recorded) as DeliveryEvent;
        if (event.data.subscription !== subscription) continue;
        const id = streamId(recorded, deliveryStream);
        const due = dueAfter(event);
        found.delete(id);
        if (due !== undefined) found.set(id, due.getTime());
        if (found.size < limit) continue;
        at = recorded.position;
        break;
      }
      if (at <= after) break;
      after = at;
    }
    const entries = [...found];
    const at = now().getTime();
    return {
      due: entries.filter(([, due]) => due <= at).map(([id]) => id),
      nextDue: Math.min(Infinity, ...entries.map(([, due]) => due).filter((due) => due > at)),
      shownTo: after,
      ...(after < upTo && after > from ? { next: { in: 'log', after } } : {}),
    };
  }
}

const { name } = deliveries.collection;

/** When a delivery is due after this event. Undefined when nothing more is to be sent. */
export function dueAfter(event: DeliveryEvent): Date | undefined {
  switch (event.type) {
    case 'DeliveryScheduled':
    case 'DeliveryResent':
      return new Date(0);
    case 'DeliveryAttemptFailed':
      return new Date(event.data.next_attempt_at);
    case 'DeliverySucceeded':
    case 'DeliveryFailed':
    case 'DeliveryDiscarded':
    case 'DeliveryParked':
    case 'DeliveryExpired':
    case 'DeliveryReversed':
      return undefined;
  }
}
