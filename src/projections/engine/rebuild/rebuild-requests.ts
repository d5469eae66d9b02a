import { streamName } from '../../../events/define.ts';
import { projectionStream, type ProjectionEvent } from '../../../events/projection.ts';
import {
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../stores/event-store/port.ts';
import { modelOf, nameOf, projected, type AnyProjection } from '../read-model.ts';

/** A rebuild that was asked for and has not ended. */
export interface RebuildRequest {
  readonly projection: AnyProjection;
  /** The id and the position of the event that asks for it. */
  readonly id: string;
  readonly position: Position;
  /** Compares all documents with the log, not a sample. */
  readonly full: boolean;
  /** Serves the kept generation again. */
  readonly back: boolean;
  /** For how long the generation that was served is kept. */
  readonly keepMs: number;
}

interface RequestHandlers {
  /** Each projection at most once until `ended`. */
  readonly onRequest: (requests: readonly RebuildRequest[]) => void;
  readonly onCancel: (projection: AnyProjection) => void;
  /** Called for an event of the projection's stream that this release does not know. */
  readonly onUnknown: (name: string, error: unknown) => Promise<void>;
}

/** Requests that arrive within this time after the first share one pass over the log. */
const gatherMs = 100;

/** Finds requests for rebuilds in the log, each once, and never hands over two of one read model. */
export class RebuildRequests {
  readonly #byStream: ReadonlyMap<string, AnyProjection>;
  readonly #handlers: RequestHandlers;
  /** Up to which revision a stream was read. */
  readonly #read = new Map<string, number>();
  /** Position of the request under way. `beginning`: nobody asked, its version is another. */
  readonly #underWay = new Map<AnyProjection, Position>();
  /** The newest request that came while one was under way. It may be made obsolete by the end of that one. */
  readonly #next = new Map<AnyProjection, RebuildRequest>();
  readonly #gathered = new Map<AnyProjection, RebuildRequest>();

  constructor(projections: readonly AnyProjection[], handlers: RequestHandlers) {
    this.#byStream = new Map(
      projections.map((each) => [streamName(projectionStream, modelOf(each)), each] as const),
    );
    this.#handlers = handlers;
  }

  /** The requests that an earlier projector did not complete. The caller begins them. */
  async unfinished(store: EventStore): Promise<Map<AnyProjection, RebuildRequest>> {
    const unfinished = new Map<AnyProjection, RebuildRequest>();
    for (const [stream, projection] of this.#byStream) {
      const history = await store.readStream(stream);
      for (const recorded of history) {
        const event = await this.#projected(recorded, projection);
        if (event?.type !== 'RebuildStarted') unfinished.delete(projection);
        else if (!unfinished.has(projection))
          unfinished.set(projection, requestOf(projection, recorded, event));
      }
      const newest = history.at(-1);
      if (newest) this.#read.set(stream, newest.revision);
    }
    for (const [projection, { position }] of unfinished) this.#underWay.set(projection, position);
    return unfinished;
  }

  /** Checks new events of the log. */
  async look(events: readonly RecordedEvent[]): Promise<void> {
    for (const recorded of events) {
      const projection = this.#byStream.get(recorded.stream);
      if (!projection || recorded.revision <= (this.#read.get(recorded.stream) ?? -1)) continue;
      this.#read.set(recorded.stream, recorded.revision);
      const event = await this.#projected(recorded, projection);
      if (event?.type === 'RebuildStarted') this.#request(requestOf(projection, recorded, event));
      if (event?.type === 'RebuildCancelled') this.#cancel(projection, recorded.position);
    }
  }

  /** A rebuild has begun that nobody asked for. */
  began(projection: AnyProjection): void {
    if (!this.#underWay.has(projection)) this.#underWay.set(projection, beginning);
  }

  /** A rebuild has ended, with an event at this position if it was asked for. */
  ended(projection: AnyProjection, position: Position = beginning): void {
    this.#underWay.delete(projection);
    const next = this.#next.get(projection);
    this.#next.delete(projection);
    if (next && next.position > position) this.#request(next);
  }

  async #projected(recorded: RecordedEvent, projection: AnyProjection): Promise<ProjectionEvent | undefined> {
    try {
      return projected(recorded) as ProjectionEvent;
    } catch (error) {
      await this.#handlers.onUnknown(nameOf(projection), error);
      return undefined;
    }
  }

  #request(request: RebuildRequest): void {
    const { projection } = request;
    if (this.#underWay.has(projection)) {
      this.#next.set(projection, request);
      return;
    }
    this.#underWay.set(projection, request.position);
    this.#gathered.set(projection, request);
    if (this.#gathered.size > 1) return;
    setTimeout(() => {
      const gathered = [...this.#gathered.values()];
      this.#gathered.clear();
      if (gathered.length > 0) this.#handlers.onRequest(gathered);
    }, gatherMs);
  }

  #cancel(projection: AnyProjection, position: Position): void {
    const underWay = this.#underWay.get(projection);
    const next = this.#next.get(projection);
    if (next && next.position < position) this.#next.delete(projection);
    // It ended before the cancellation, or nobody had asked for it.
    if (underWay === undefined || underWay === beginning || underWay > position) return;
    if (this.#gathered.delete(projection)) this.ended(projection, position);
    else this.#handlers.onCancel(projection);
  }
}

function requestOf(
  projection: AnyProjection,
  { id, position }: RecordedEvent,
  { data }: ProjectionEvent & { readonly type: 'RebuildStarted' },
): RebuildRequest {
  const { full = false, back = false, keep_seconds = 0 } = data;
  return { projection, id, position, full, back, keepMs: keep_seconds * 1_000 };
}
