import { deliveries } from '../projections/webhooks/deliveries.ts';
import type { EventStore, Position, RecordedEvent } from '../stores/event-store/port.ts';
import type { DispatchContext } from './context.ts';
import { retry } from '../runtime/retry.ts';

/**
 * Failures in a row after which it is for another dispatcher to send: eight seconds of waiting, and the time that
 * each failure takes. A store that is restarted is back sooner, and nobody has to begin anew.
 */
const maximumFailures = 6;

/** The log from some moment on, as far as lanes must know of it. One subscription serves all shards. */
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

  /** Everything up to here has been told; whoever begins to listen now has missed it, and nothing after it. */
  get position(): Position {
    return this.#position;
  }

  /** Tells of every event until the signal aborts; after an interruption it goes on where it was. */
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

const followedTypes = [
  ...deliveries.events,
  'SubscriptionResumed',
  'SubscriptionUrlChanged',
  'SubscriptionDeleted',
];
