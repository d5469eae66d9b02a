import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { spanIdOf, traceIdOf, traceparentOf, type CallerSpan, type SpanPlace } from './trace-context.ts';

/**
 * Spans of this thread. Nothing here knows OpenTelemetry: `sdk.ts` alone loads it, and only when settings name a collector. Until
 * then `sink` is undefined, and a span costs the question whether it is.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A span that has ended. It is handed over whole: what never ends is never told of, as with any tracer. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: 'server' | 'internal' | 'client' | 'consumer';
  readonly place: SpanPlace;
  /** The id of its parent in the same trace. Undefined: it is the root. */
  readonly parent: string | undefined;
  /** Spans of other traces. */
  readonly links: readonly SpanPlace[];
  /** Milliseconds since 1970, with fractions. */
  readonly from: number;
  readonly until: number;
  readonly attributes: Attributes;
  /** What kind of failure it was (`error.type`). Undefined: it did not fail. */
  readonly failure: string | undefined;
}

/** Where spans go. */
export interface SpanSink {
  /** Whether spans of this trace are recorded. All threads and nodes must answer alike. */
  isSampled(traceId: string): boolean;
  record(span: EndedSpan): void;
}

let sink: SpanSink | undefined;

/** Begins to record the spans of this thread, or ends it. */
export function recordSpans(to: SpanSink | undefined): void {
  sink = to;
}

export const isTracing = (): boolean => sink !== undefined;

/** Work whose span has not ended. */
interface OpenSpan {
  readonly spanId: string;
  /** Undefined for a request of which nothing is known yet: its first command tells the trace. */
  traceId: string | undefined;
  readonly links: SpanPlace[];
}

const open = new AsyncLocalStorage<OpenSpan>();

/** More links say no more. */
const mostLinks = 32;

const opened = (traceId: string | undefined): OpenSpan => ({
  spanId: randomBytes(8).toString('hex'),
  traceId,
  links: [],
});

export interface SpanOfWork {
  readonly name: string;
  readonly kind?: EndedSpan['kind'];
  /** It tells the trace. */
  readonly correlationId: string;
  /** The event that caused the work, where no span of the same trace is open in this thread. */
  readonly causedBy?: string | undefined;
  readonly attributes?: Attributes;
}

/** What is told of work when it has ended. */
export interface Ending {
  readonly attributes?: Attributes;
  readonly failure?: string | undefined;
}

/**
 * Runs work as a span. Within it, spans of the same trace are its children. Work of another trace than the span around it, such as
 * a command that many requests belong to, is linked both ways.
 */
export function inSpan<Result>(
  span: () => SpanOfWork,
  work: () => Promise<Result>,
  ending: (settled: PromiseSettledResult<Result>) => Ending,
): Promise<Result> {
  if (sink === undefined) return work();
  const { name, kind = 'internal', correlationId, causedBy, attributes } = span();
  const around = open.getStore();
  const traceId = traceIdOf(correlationId);
  const inner = opened(traceId);
  if (around) around.traceId ??= traceId;
  const isChild = around?.traceId === traceId;
  if (around?.traceId !== undefined && !isChild) {
    link(inner, { traceId: around.traceId, spanId: around.spanId });
    link(around, { traceId, spanId: inner.spanId });
  }
  const result = open.run(inner, work);
  if (!sink.isSampled(traceId)) return result;
  const cause = causedBy === undefined ? undefined : spanIdOf(causedBy);
  const parent = isChild ? around.spanId : cause;
  const from = wallTime();
  const ended = (settled: PromiseSettledResult<Result>) => {
    const { attributes: more, failure } = ending(settled);
    sink?.record({
      ...{ name, kind, place: { traceId, spanId: inner.spanId }, parent, links: inner.links },
      ...{ from, until: wallTime(), attributes: { ...attributes, ...more }, failure },
    });
  };
  result.then(
    (value) => ended({ status: 'fulfilled', value }),
    (reason: unknown) => ended({ status: 'rejected', reason }),
  );
  return result;
}

function link(from: OpenSpan, to: SpanPlace): void {
  if (from.links.length < mostLinks) from.links.push(to);
}

/** The `traceparent` of a request that the span around makes. Undefined when there is none. */
export function traceparent(): string | undefined {
  const around = open.getStore();
  if (sink === undefined || around?.traceId === undefined) return undefined;
  return traceparentOf({ traceId: around.traceId, spanId: around.spanId }, sink.isSampled(around.traceId));
}

/** A span whose work has ended, and of which nothing was a child while it ran. */
export function recordSpan({
  correlationId,
  spanId = randomBytes(8).toString('hex'),
  causedBy,
  ...span
}: SpanOfWork &
  Ending & { readonly spanId?: string; readonly tookMs: number; readonly links?: readonly string[] }): void {
  const traceId = traceIdOf(correlationId);
  if (!sink?.isSampled(traceId)) return;
  const around = open.getStore();
  const { name, kind = 'internal', tookMs, attributes = {}, failure, links = [] } = span;
  const cause = causedBy === undefined ? undefined : spanIdOf(causedBy);
  const until = wallTime();
  sink.record({
    ...{ name, kind, place: { traceId, spanId }, from: until - tookMs, until, attributes, failure },
    parent: around?.traceId === traceId ? around.spanId : cause,
    links: links.map((event) => ({ traceId, spanId: spanIdOf(event) })),
  });
}

/** The span of a request to this service. */
export class RequestSpan {
  readonly #from = wallTime();
  readonly #open = opened(undefined);
  readonly #correlationId: string;

  /**
   * `correlationId`: of the request, which counts when no command tells another. The trace of a caller is linked and not
   * continued: it ends where its owner's systems end, and nobody outside decides what is recorded here.
   */
  constructor(correlationId: string, caller: CallerSpan | undefined) {
    this.#correlationId = correlationId;
    if (caller) link(this.#open, caller);
  }

  run<Result>(work: () => Result): Result {
    return open.run(this.#open, work);
  }

  end(name: string, { attributes = {}, failure }: Ending): void {
    const { spanId, links, traceId = traceIdOf(this.#correlationId) } = this.#open;
    if (!sink?.isSampled(traceId)) return;
    sink.record({
      ...{ name, kind: 'server', place: { traceId, spanId }, parent: undefined, links },
      ...{ from: this.#from, until: wallTime(), attributes, failure },
    });
  }
}

/** Farther than this from the clock of the machine, the fine clock is set by it again. */
const driftMs = 20;
let offsetMs = performance.timeOrigin;

/** Milliseconds since 1970 with fractions, by the clock of the machine: the fine clock knows of no correction of it. */
function wallTime(): number {
  const fine = performance.now();
  if (Math.abs(offsetMs + fine - Date.now()) > driftMs) offsetMs = Date.now() - fine;
  return offsetMs + fine;
}
