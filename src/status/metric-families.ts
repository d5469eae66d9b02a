import { Registry } from 'prom-client';
import { defined } from '../ground/defined.ts';

/** One metric with all its series, as plain data: it can be sent between threads. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly series: readonly Series[];
}

export interface Series {
  /** Of a histogram: the name with its ending, such as `_bucket`. Default: the name of the family. */
  readonly name?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A gauge of values that are known only when they are asked for. */
export const gauge = (name: string, help: string, series: readonly Series[]): Family => ({
  name,
  help,
  type: 'gauge',
  series,
});

/** What a registry holds now. */
export async function familiesOf(registry: Registry): Promise<Family[]> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as readonly {
    readonly name: string;
    readonly help: string;
    readonly type: Family['type'];
    readonly values: readonly {
      readonly metricName?: string;
      readonly labels?: Record<string, string | number>;
      readonly value: number;
    }[];
  }[];
  return metrics.map(({ name, help, type, values }) => ({
    name,
    help,
    type,
    series: values.map(({ metricName, labels = {}, value }) => ({
      ...defined({ name: metricName }),
      labels: { ...labels },
      value,
    })),
  }));
}

/** The families of several sources. Those of one name become one, with the series of all. */
export function merged(sources: readonly (readonly Family[])[]): Family[] {
  const byName = new Map<string, Family>();
  for (const family of sources.flat()) {
    const prior = byName.get(family.name);
    byName.set(family.name, prior ? { ...prior, series: [...prior.series, ...family.series] } : family);
  }
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

export const contentType: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** The text format of Prometheus (version 0.0.4). */
export async function rendered(families: readonly Family[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, type, series } of families) {
    const values = series.map(({ name: metricName, ...rest }) => ({
      ...rest,
      ...defined({ metricName }),
    }));
    // The registry asks a metric for nothing else.
    const metric = { name, get: () => Promise.resolve({ name, help, type, values }) };
    registry.registerMetric(metric as never);
  }
  return registry.metrics();
}
