import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type HrTime } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { messageOf } from '../ground/store-error.ts';
import { spans, type MeasuredSpans } from './measured.ts';
import type { EndedSpan, SpanSink } from './spans.ts';
import type { SpanPlace } from './trace-context.ts';

/**
 * The one file that loads OpenTelemetry, in each thread that has spans. Its exporter reads from the environment what concerns the
 * way to the collector alone: headers, compression, certificates, its time limit.
 */
export interface TraceSettings {
  /** Where spans are sent, for what is told of it. */
  readonly address: string;
  /** Which share of all traces is recorded, from 0 to 1. */
  readonly ratio: number;
  readonly queue: { readonly size: number; readonly batch: number; readonly everyMs: number };
}

export interface TracedThread {
  readonly settings: TraceSettings;
  readonly thread: string;
  readonly release: string;
  /** A UUID of the process. */
  readonly instance: string;
  /** Called when the collector begins not to take spans, and when it takes them again. */
  readonly tell: (sentence: string) => void;
}

export interface Exporting extends SpanSink {
  /** Sends what waits. Rejects when the collector does not take it. */
  close(): Promise<void>;
}

/** Exports the spans of this thread. */
export function startExporting({ settings, thread, release, instance, tell }: TracedThread): Exporting {
  const sampler = samplerOf(settings.ratio);
  const places = new NextPlace();
  const queue = new Queue(settings, new WatchedExporter(settings.address, tell));
  const provider = new TracerProvider({
    // `isSampled` has decided.
    sampler: new AlwaysOnSampler(),
    idGenerator: places,
    spanProcessors: [queue],
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          'service.name': 'commonweal',
          'service.version': release,
          'service.instance.id': instance,
        }),
      )
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
  });
  const tracer = provider.getTracer('commonweal', release);
  return {
    isSampled: (traceId) =>
      sampler.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, []).decision !==
      SamplingDecision.NOT_RECORD,
    record({ name, kind, place, parent, links, from, until, attributes, failure }) {
      places.next = place;
      const above =
        parent === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId: place.traceId,
              spanId: parent,
              traceFlags: TraceFlags.SAMPLED,
            });
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          startTime: hrTime(from),
          attributes: { 'thread.name': thread, ...withoutUndefined(attributes) },
          links: links.map((each) => ({ context: { ...each, traceFlags: TraceFlags.NONE } })),
        },
        above,
      );
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(hrTime(until));
    },
    close: () => provider.shutdown(),
  };
}

const kinds: Readonly<Record<EndedSpan['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

/**
 * All spans of a trace are recorded, or none: each thread and node decides by the id of the trace alone, as nothing else of it
 * comes along with an event. So samplers that ask the parent first are the same as those that do not.
 */
function samplerOf(ratio: number): Sampler {
  if (ratio >= 1) return new AlwaysOnSampler();
  return ratio <= 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Gives each span the ids that it has. */
class NextPlace implements IdGenerator {
  next: SpanPlace = { traceId: '', spanId: '' };
  generateTraceId = (): string => this.next.traceId;
  generateSpanId = (): string => this.next.spanId;
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];

const withoutUndefined = (attributes: EndedSpan['attributes']) =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value]],
    ),
  );

const counted = (outcome: MeasuredSpans['outcome'], count: number): void => {
  if (spans.hasSubscribers) spans.publish({ outcome, count } satisfies MeasuredSpans);
};

/** The batches of the SDK behind a bound of our own that counts what it drops: theirs is silent. */
class Queue implements SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  readonly #size: number;
  #waiting = 0;

  constructor({ queue }: TraceSettings, exporter: WatchedExporter) {
    this.#size = queue.size;
    exporter.onTaken = (count) => {
      this.#waiting -= count;
    };
    this.#batches = new BatchSpanProcessor({
      exporter,
      maxQueueSize: queue.size,
      maxExportBatchSize: queue.batch,
      scheduledDelayMillis: queue.everyMs,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= this.#size) {
      counted('queue_full', 1);
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush = (): Promise<void> => this.#batches.forceFlush();
  shutdown = (): Promise<void> => this.#batches.shutdown();
}

/** ExportResultCode.SUCCESS, whose package is none of those that we name. */
const succeeded = 0;
type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** The exporter of the SDK. Counts what it could not send, and says so once until it can again. */
class WatchedExporter implements SpanExporter {
  readonly #exporter = new OTLPTraceExporter();
  readonly #address: string;
  readonly #tell: (sentence: string) => void;
  /** Spans lost since the collector took some. */
  #lost = 0;
  /** Called with how many spans leave the queue. */
  onTaken: (count: number) => void = () => undefined;

  constructor(address: string, tell: (sentence: string) => void) {
    this.#address = address;
    this.#tell = tell;
  }

  export(batch: ReadableSpan[], onResult: (result: Result) => void): void {
    this.onTaken(batch.length);
    this.#exporter.export(batch, (result) => {
      const code: number = result.code;
      if (code === succeeded) this.#sent(batch.length);
      else this.#failed(batch.length, result.error);
      onResult(result);
    });
  }

  #sent(count: number): void {
    counted('exported', count);
    if (this.#lost > 0) this.#tell(`The collector at ${this.#address} takes spans again.`);
    this.#lost = 0;
  }

  #failed(count: number, error: unknown): void {
    counted('not_taken', count);
    if (this.#lost === 0)
      this.#tell(
        `The collector at ${this.#address} does not take spans (${reasonOf(error)}); they are dropped until it does.`,
      );
    this.#lost += count;
  }

  forceFlush = (): Promise<void> => this.#exporter.forceFlush();
  shutdown = (): Promise<void> => this.#exporter.shutdown();
}

/** Without what the collector has answered, which can be anything. */
function reasonOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'number') return `it answers ${code}`;
  return typeof code === 'string' ? code : messageOf(error);
}
