import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { newEvent } from '../../events/new-event.ts';
import { projectionStream } from '../../events/projection.ts';
import type { EventStore, RecordedEvent } from '../../stores/event-store/port.ts';
import { modelOf, nameOf, projected, type AnyProjection } from './define.ts';

interface RequestHandlers {
  readonly onRequest: (projections: readonly AnyProjection[]) => void;
  /** Told of an event of the projection's stream that this release cannot read. */
  readonly onUnknown: (name: string, error: unknown) => Promise<void>;
}

/** Requests that come within this time after the first are taken up together, and read the log together. */
const gatherMs = 100;

/** Finds the events that ask for a rebuild, each once; one that comes during a rebuild is taken up after it. */
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

  /** Looks at events of the log as they come. */
  async look(events: readonly RecordedEvent[]): Promise<void> {
    for (const event of events) {
      const projection = this.#byStream.get(event.stream);
      if (projection) await this.#lookAt(event, projection);
    }
  }

  /** Takes up what was asked of a process that ended before it was done. */
  async lookBack(store: EventStore): Promise<void> {
    for (const [stream, projection] of this.#byStream) {
      const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
      if (newest) await this.#lookAt(newest, projection);
    }
  }

  /** A rebuild has begun that nobody asked for. */
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

/** Says in the log that a generation serves that was asked for. */
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
