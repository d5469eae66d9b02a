import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { familiesOf, type Family } from './metric-families.ts';
import { RequestDurations } from './request-durations.ts';

/** How often the delay of the event loop is sampled, in milliseconds. */
const samplingMs = 20;

/**
 * Of the metrics of Node.js that prom-client brings, what no alert and no panel needs. A node without requests had 632 series; 117
 * of them were the spaces of the heap. The sums are gauges whose names end as those of counters do.
 */
const leftOut = [
  'nodejs_heap_space_size_total_bytes',
  'nodejs_heap_space_size_used_bytes',
  'nodejs_heap_space_size_available_bytes',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
] as const;
/** In seconds: a collection that takes longer is seen by people. The default has six, for each kind and thread. */
const longCollections = [0.1];

/** What one thread of this process counts and measures. */
export class Measurements {
  readonly #thread: string;
  readonly #registry = new Registry();

  readonly requests: RequestDurations;

  readonly signIns = this.#counter('sign_ins_total', 'Attempts to sign in.', ['method', 'outcome']);
  readonly throttled = this.#counter('throttled_total', 'Requests and attempts that a limit refused.', [
    'limit',
  ]);
  readonly networkPauses = this.#counter(
    'network_pauses_total',
    'Pauses of a network that kept sending invalid tokens.',
    [],
  );
  readonly tokensIssued = this.#counter('tokens_issued_total', 'Codes and tokens issued to sites.', ['kind']);
  readonly tokensRevoked = this.#counter('tokens_revoked_total', 'Revocations of tokens, grants and keys.', [
    'kind',
  ]);

  readonly commands = this.#counter('commands_total', 'Commands by kind of stream and outcome.', [
    'stream',
    'outcome',
  ]);
  readonly appended = this.#counter('appended_events_total', 'Events appended, by type.', ['type']);
  readonly appendFailures = this.#counter('append_failures_total', 'Appends that failed.', ['reason']);
  readonly appendSeconds = this.#histogram(
    'append_duration_seconds',
    'Duration of appends to the event store.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  );
  readonly appendSize = this.#histogram(
    'append_events',
    'Events in one append.',
    [1, 2, 5, 10, 20, 50, 100, 500, 1_000],
  );

  readonly folded = this.#counter('projection_events_total', 'Events folded, by read model.', ['projection']);
  readonly foldSeconds = this.#histogram(
    'projection_round_duration_seconds',
    'Duration of folding and committing one round.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  );

  readonly attempts = this.#counter('webhook_attempts_total', 'Attempts of deliveries.', ['outcome']);
  readonly attemptSeconds = this.#histogram(
    'webhook_attempt_duration_seconds',
    'Duration of attempts, from the lookup of the name to the last byte.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  );
  readonly firstAttemptSeconds = this.#histogram(
    'webhook_first_attempt_seconds',
    'From an event to the first attempt of its delivery.',
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  );

  /** Not `job`: Prometheus gives a label of that name to everything that it scrapes. */
  readonly jobFailures = this.#counter('job_failures_total', 'Failures of background jobs.', [
    'background_job',
  ]);
  readonly reconnects = this.#counter('store_reconnects_total', 'Connections to a store made anew.', [
    'store',
  ]);

  readonly spans = this.#counter('trace_spans_total', 'Spans by what became of them.', ['outcome']);

  /** `requests`: what counts the requests of this process, whether they are told as metrics or not. */
  constructor(thread: string, requests = new RequestDurations()) {
    this.#thread = thread;
    this.requests = requests;
    requests.register(this.#registry);
    collectDefaultMetrics({
      register: this.#registry,
      eventLoopMonitoringPrecision: samplingMs,
      gcDurationBuckets: longCollections,
    });
    for (const name of leftOut) this.#registry.removeSingleMetric(name);
    let before = performance.eventLoopUtilization();
    const utilization: Gauge = new Gauge({
      name: 'commonweal_event_loop_utilization',
      help: 'Share of the time since the last scrape in which the event loop was busy.',
      registers: [this.#registry],
      collect: () => {
        const now = performance.eventLoopUtilization();
        utilization.set(performance.eventLoopUtilization(now, before).utilization);
        before = now;
      },
    });
  }

  /** All series, each with the label `thread`. What belongs to the process as a whole is told by the main thread alone. */
  async families(): Promise<Family[]> {
    const families = await familiesOf(this.#registry);
    const own =
      this.#thread === 'main' ? families : families.filter(({ name }) => !name.startsWith('process_'));
    return own.map((family) => ({
      ...family,
      series: family.series.map((each) => ({ ...each, labels: { ...each.labels, thread: this.#thread } })),
    }));
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name: `commonweal_${name}`, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name: `commonweal_${name}`, help, buckets, registers: [this.#registry] });
  }
}
