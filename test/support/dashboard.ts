import { readFileSync } from 'node:fs';

/** What the tests read of a dashboard of Grafana. */
export interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly Variable[] };
  readonly panels: readonly Panel[];
}

export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
  readonly datasource?: DataSource;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly datasource?: DataSource;
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly Target[];
}

export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: DataSource;
}

interface DataSource {
  readonly type: string;
  readonly uid: string;
}

export const dashboard = JSON.parse(
  readFileSync(new URL('../../deploy/grafana/commonweal.json', import.meta.url), 'utf8'),
) as Dashboard;

/** A query of a panel or of a variable, and where it stands. */
export interface Query {
  readonly at: string;
  readonly expr: string;
  /** Labels that the legend shows. */
  readonly shown: readonly string[];
}

export const panelQueries: readonly Query[] = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ refId, expr, legendFormat }) => ({
    at: `${title} ${refId}`,
    expr,
    shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
  })),
);

/** `label_values(metric, label)` is Grafana's own. */
export const variableQueries: readonly Query[] = dashboard.templating.list
  .filter(({ type }) => type === 'query')
  .map(({ name, query }) => {
    const text = typeof query === 'string' ? query : query.query;
    const [, expr = '', label = ''] = /^label_values\((.+), (\w+)\)$/.exec(text) ?? [];
    return { at: `variable ${name}`, expr, shown: [label] };
  });

/** A metric that a query selects, with the values that its labels must equal, or undefined where it is no equality. */
export interface Selected {
  readonly metric: string;
  readonly labels: ReadonlyMap<string, string | undefined>;
}

/** What a query of PromQL names. `others`: words that are neither a metric, a label nor a function in use here. */
export function namesIn(expr: string): {
  readonly selected: readonly Selected[];
  readonly grouped: readonly string[];
  readonly others: readonly string[];
} {
  const selected: Selected[] = [];
  const grouped: string[] = [];
  const rest = expr
    .replaceAll(/([a-zA-Z_:]\w*)(?:\{((?:[^"}]|"[^"]*")*)\})/g, (_all, metric: string, matchers: string) => {
      const pairs = [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)];
      const labels = pairs.map(
        ([, label = '', operator, value]) => [label, operator === '=' ? value : undefined] as const,
      );
      selected.push({ metric, labels: new Map(labels) });
      return '';
    })
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_all, labels: string) => {
      grouped.push(...labels.split(',').map((label) => label.trim()));
      return '';
    })
    .replaceAll(/\[[^\]]*\]/g, '');
  const others: string[] = [];
  for (const word of rest.match(/[a-zA-Z_:]\w*/g) ?? []) {
    if (functions.has(word)) continue;
    if (/^(commonweal|nodejs|process)_/.test(word)) selected.push({ metric: word, labels: new Map() });
    else others.push(word);
  }
  return { selected, grouped, others };
}

const functions = new Set([
  ...['sum', 'max', 'min', 'count', 'topk'],
  ...['rate', 'increase', 'histogram_quantile', 'time', 'vector', 'or'],
]);
