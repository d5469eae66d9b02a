import { deliveries } from '../projections/webhooks/deliveries.ts';
import type { EventStore, Position, RecordedEvent } from '../stores/event-store/port.ts';
import type { DispatchContext } from './context.ts';
import { retry } from '../ground/retry.ts';

/**
 * After this many failures in a row another dispatcher should send: eight seconds of backoff, plus the time of the
 * failed calls. A restarted store is back sooner.
 */
const maximumFailures = 6;

/** Follows the events that concern lanes. One subscription serves all shards. */
export class LogFollower {
  readonly #store: EventStore;
  readonly #onFault: (error: unknown) => void;
  #position: Position;

  private constructor(dispatching: DispatchContext, from: Position) {
    this.#store = dispatching.store;
    this.#onFault = dispatching.onFault('following the log');
    this.#position = from;
  }

  static async fromNow(dispatching: DispatchContext): Promise<LogFollower> {
    return new LogFollower(dispatching, await dispatching.store.head());
  }

  /** Everything up to this position has been emitted. A new listener has missed it, and nothing after it. */
  get position(): Position {
    return this.#position;
  }

  /** Emits every event until the signal aborts. Continues at its position after an interruption. */
  async follow(tell: (event: RecordedEvent) => void, signal: AbortSignal): Promise<void> {
    const follow = async () => {
      const filter = { types: followedTypes };
      for await (const batch of this.#store.subscribe({ after: this.#position, filter, signal })) {
        for (const event of batch.events) tell(event);
        this.#position = batch.position;
      }
    };
    await retry(follow, { signal, onFault: this.#onFault, maximumFailures });
  }
}

/** A delivery succeeds by an attempt of its lane, or of an earlier owner: then the attempt of this one reads its stream. */
const followedTypes = [
  ...deliveries.events.filter((type) => type !== 'DeliverySucceeded'),
  'SubscriptionResumed',
  'SubscriptionHealthConfirmed',
  'SubscriptionPaused',
  'SubscriptionAutoPaused',
  'SubscriptionDeleted',
  'TeamReopened',
];
