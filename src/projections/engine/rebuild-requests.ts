import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { newEvent } from '../../events/new-event.ts';
import { projectionStream } from '../../events/projection.ts';
import type { EventStore, RecordedEvent } from '../../stores/event-store/port.ts';
import { modelOf, nameOf, projected, type AnyProjection } from './define.ts';

interface RequestHandlers {
  readonly onRequest: (projections: readonly AnyProjection[]) => void;
  /** Called for an event of the projection's stream that this release does not know. */
  readonly onUnknown: (name: string, error: unknown) => Promise<void>;
}

/** Requests that arrive within this time after the first share one pass over the log. */
const gatherMs = 100;

/** Finds rebuild requests in the log, each once. A request during a rebuild is handled after it. */
export class RebuildRequests {
  readonly #byStream: ReadonlyMap<string, AnyProjection>;
  readonly #handlers: RequestHandlers;
  readonly #seen = new Set<string>();
  readonly #rebuilding = new Set<AnyProjection>();
  readonly #askedAgain = new Set<AnyProjection>();
  readonly #gathered = new Set<AnyProjection>();

  constructor(projections: readonly AnyProjection[], handlers: RequestHandlers) {
    this.#byStream = new Map(
      projections.map((each) => [streamName(projectionStream, modelOf(each)), each] as const),
    );
    this.#handlers = handlers;
  }

  /** Checks new events of the log for requests. */
  async look(events: readonly RecordedEvent[]): Promise<void> {
    for (const event of events) {
      const projection = this.#byStream.get(event.stream);
      if (projection) await this.#lookAt(event, projection);
    }
  }

  /** Finds requests that an earlier process did not complete. */
  async lookBack(store: EventStore): Promise<void> {
    for (const [stream, projection] of this.#byStream) {
      const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
      if (newest) await this.#lookAt(newest, projection);
    }
  }

  /** A rebuild has begun without a request. */
  began(projection: AnyProjection): void {
    this.#rebuilding.add(projection);
  }

  /** A rebuild has ended. */
  done(projection: AnyProjection): void {
    this.#rebuilding.delete(projection);
    if (this.#askedAgain.delete(projection)) this.#request(projection);
  }

  async #lookAt(event: RecordedEvent, projection: AnyProjection): Promise<void> {
    if (this.#seen.has(event.id)) return;
    try {
      if (projected(event).type !== 'RebuildStarted') return;
    } catch (error) {
      await this.#handlers.onUnknown(nameOf(projection), error);
      return;
    }
    this.#seen.add(event.id);
    this.#request(projection);
  }

  #request(projection: AnyProjection): void {
    if (this.#rebuilding.has(projection)) {
      this.#askedAgain.add(projection);
      return;
    }
    this.#rebuilding.add(projection);
    this.#gathered.add(projection);
    if (this.#gathered.size > 1) return;
    setTimeout(() => {
      const gathered = [...this.#gathered];
      this.#gathered.clear();
      this.#handlers.onRequest(gathered);
    }, gatherMs);
  }
}

/** Records in the log that a requested rebuild is done and its generation is served. */
export async function tellSwitched(
  store: EventStore,
  projection: AnyProjection,
  generation: number,
  at: Date,
): Promise<void> {
  const name = modelOf(projection);
  const stream = streamName(projectionStream, name);
  const context: CommandContext = {
    actor: { kind: 'system', id: 'projector' },
    commandId: uuidOf('generation-switched', name, String(generation), crypto.randomUUID()),
    at,
  };
  const event = { type: 'GenerationSwitched', data: { projection: name, generation } } as const;
  await store.append(stream, [newEvent(stream, event, 0, context)], 'any');
}
