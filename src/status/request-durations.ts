import type { Registry } from 'prom-client';
import type { AnsweredRequests } from '../stores/leases/nodes-port.ts';

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const durationsName = 'commonweal_http_request_duration_seconds';
const requestsName = 'commonweal_http_requests_total';

/** Everything else counts as `other`, so that a caller cannot make series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const methodNotAllowed = 405;
/** What proxies ask all the time says nothing of how people are served. */
const probes: readonly string[] = ['/healthz', '/readyz'];
/** How far back `lately` reaches, and how often the totals are noted for it. */
const latelyMs = 3_600_000;
const noteEveryMs = 60_000;

interface Durations {
  readonly route: string;
  /** How many took at most the bound of this index; the last one counts the slower ones. */
  readonly counts: number[];
  sum: number;
}

interface Requests {
  readonly labels: { readonly route: string; readonly method: string; readonly status: string };
  readonly durations: Durations;
  count: number;
}

/** What was answered since the start, at a time. */
interface Totals {
  readonly at: number;
  readonly byStatus: ReadonlyMap<string, number>;
  readonly counts: readonly number[];
}

/**
 * The durations of requests, a histogram by route, and their number, a counter by route, method and class of the status.
 * A histogram by all three had sixteen series for each method that anybody tried at a route: 3.7 MB of a scrape.
 * Of our own, because a request must not pay for it: prom-client's hashes all labels with each observation, which takes
 * longer than the rest of what is measured here.
 */
export class RequestDurations {
  readonly #durations = new Map<string, Durations>();
  readonly #requests = new Map<string, Requests>();
  /** The totals of each minute of the last hour, oldest first. */
  readonly #notes: Totals[];

  constructor(registry?: Registry, now = Date.now()) {
    this.#notes = [{ at: now, byStatus: new Map(), counts: [] }];
    if (registry) this.register(registry);
  }

  /** Adds both metrics to what a registry tells. */
  register(registry: Registry): void {
    const reset = () => this.#reset();
    const histogram = { name: durationsName, get: async () => this.#histogram(), reset };
    const counter = { name: requestsName, get: async () => this.#counter(), reset };
    for (const metric of [histogram, counter]) registry.registerMetric(metric as never);
  }

  /** `route`: the pattern of the route, never an address. Undefined when no route matched. */
  observe(route: string | undefined, method: string, status: number, seconds: number): void {
    const key = `${method} ${status} ${route}`;
    const requests = this.#requests.get(key) ?? this.#open(key, route ?? 'none', method, status);
    requests.count += 1;
    const { durations } = requests;
    let index = 0;
    while (index < bounds.length && seconds > (bounds[index] as number)) index += 1;
    (durations.counts[index] as number) += 1;
    durations.sum += seconds;
  }

  /** What was answered in the last hour, or since the start where that is less. Questions of probes are left out. */
  lately(now = Date.now()): AnsweredRequests {
    const totals = this.#totals(now);
    while ((this.#notes[1]?.at ?? Infinity) <= now - latelyMs) this.#notes.shift();
    const before = this.#notes[0] ?? totals;
    if (now - (this.#notes.at(-1)?.at ?? 0) >= noteEveryMs) this.#notes.push(totals);
    return {
      since: new Date(before.at).toISOString(),
      by_status: Object.fromEntries(
        [...totals.byStatus].map(([status, count]) => [status, count - (before.byStatus.get(status) ?? 0)]),
      ),
      seconds: totals.counts.map((count, index) => [
        bounds[index] ?? null,
        count - (before.counts[index] ?? 0),
      ]),
    };
  }

  #totals(at: number): Totals {
    const byStatus = new Map<string, number>();
    for (const { labels, count } of new Set(this.#requests.values()))
      if (!probes.includes(labels.route))
        byStatus.set(labels.status, (byStatus.get(labels.status) ?? 0) + count);
    const counts = new Array<number>(bounds.length + 1).fill(0);
    for (const { route, counts: each } of this.#durations.values())
      if (!probes.includes(route)) each.forEach((count, index) => ((counts[index] as number) += count));
    return { at, byStatus, counts };
  }

  /** As prom-client's registry asks for it. */
  #histogram() {
    const values = [...this.#durations.values()].flatMap(({ route, counts, sum }) => {
      let total = 0;
      const buckets = [...bounds, '+Inf'].map((le, index) => ({
        metricName: `${durationsName}_bucket`,
        labels: { le, route },
        value: (total += counts[index] ?? 0),
      }));
      return [
        ...buckets,
        { metricName: `${durationsName}_sum`, labels: { route }, value: sum },
        { metricName: `${durationsName}_count`, labels: { route }, value: total },
      ];
    });
    const help = 'Duration of requests by route pattern.';
    return { name: durationsName, help, type: 'histogram', aggregator: 'sum', values };
  }

  #counter() {
    const values = [...new Set(this.#requests.values())].map(({ labels, count }) => ({
      labels,
      value: count,
    }));
    const help = 'Requests by route pattern, method and class of the status.';
    return { name: requestsName, help, type: 'counter', aggregator: 'sum', values };
  }

  #reset(): void {
    this.#requests.clear();
    this.#durations.clear();
  }

  /** Keys of one method, route and class of the status share what they count. */
  #open(key: string, route: string, method: string, status: number): Requests {
    // A method that a route does not have says nothing of the route.
    const hasMethod = methods.has(method) && status !== methodNotAllowed;
    const labels = {
      route,
      method: hasMethod ? method : 'other',
      status: `${Math.trunc(status / 100)}xx`,
    };
    const shared = Object.values(labels).join(' ');
    const durations = this.#durations.get(route) ?? {
      route,
      counts: new Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    };
    this.#durations.set(route, durations);
    const requests = this.#requests.get(shared) ?? { labels, durations, count: 0 };
    this.#requests.set(shared, requests);
    // At most one for each status of a route, so the table is bounded as the series are.
    if (methods.has(method)) this.#requests.set(key, requests);
    return requests;
  }
}
