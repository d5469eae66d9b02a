import type { Registry } from 'prom-client';

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const name = 'commonweal_http_request_duration_seconds';

/** Everything else counts as `other`, so that a caller cannot make series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface Durations {
  readonly labels: { readonly route: string; readonly method: string; readonly status: string };
  /** How many took at most the bound of this index; the last one counts the slower ones. */
  readonly counts: number[];
  sum: number;
}

/**
 * A histogram of the durations of requests. Of our own, because a request must not pay for it: prom-client's hashes all
 * labels with each observation, which takes longer than the rest of what is measured here.
 */
export class RequestDurations {
  readonly name = name;
  readonly #of = new Map<string, Durations>();

  constructor(registry: Registry) {
    registry.registerMetric(this as never);
  }

  /** `route`: the pattern of the route, never an address. Undefined when no route matched. */
  observe(route: string | undefined, method: string, status: number, seconds: number): void {
    const key = `${method} ${status} ${route}`;
    const durations = this.#of.get(key) ?? this.#open(key, route, method, status);
    let index = 0;
    while (index < bounds.length && seconds > (bounds[index] as number)) index += 1;
    (durations.counts[index] as number) += 1;
    durations.sum += seconds;
  }

  /** As prom-client's registry asks for it. */
  get() {
    const values = [...new Set(this.#of.values())].flatMap(({ labels, counts, sum }) => {
      let total = 0;
      const buckets = [...bounds, '+Inf'].map((le, index) => ({
        metricName: `${name}_bucket`,
        labels: { le, ...labels },
        value: (total += counts[index] ?? 0),
      }));
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: total },
      ];
    });
    const help = 'Duration of requests by route pattern, method and class of the status.';
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values });
  }

  reset(): void {
    this.#of.clear();
  }

  /** Keys of one method, route and class of the status share what they count. */
  #open(key: string, route: string | undefined, method: string, status: number): Durations {
    const labels = {
      route: route ?? 'none',
      method: methods.has(method) ? method : 'other',
      status: `${Math.trunc(status / 100)}xx`,
    };
    const shared = Object.values(labels).join(' ');
    const durations = this.#of.get(shared) ?? {
      labels,
      counts: new Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    };
    this.#of.set(shared, durations);
    // At most one for each status of a route, so the table is bounded as the series are.
    if (methods.has(method)) this.#of.set(key, durations);
    return durations;
  }
}
