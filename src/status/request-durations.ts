import type { Registry } from 'prom-client';

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const durationsName = 'commonweal_http_request_duration_seconds';
const requestsName = 'commonweal_http_requests_total';

/** Everything else counts as `other`, so that a caller cannot make series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const methodNotAllowed = 405;

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

/**
 * The durations of requests, a histogram by route, and their number, a counter by route, method and class of the status.
 * A histogram by all three had sixteen series for each method that anybody tried at a route: 3.7 MB of a scrape.
 * Of our own, because a request must not pay for it: prom-client's hashes all labels with each observation, which takes
 * longer than the rest of what is measured here.
 */
export class RequestDurations {
  readonly #durations = new Map<string, Durations>();
  readonly #requests = new Map<string, Requests>();

  constructor(registry: Registry) {
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
