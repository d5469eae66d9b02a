import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const textOf = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly for: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string; readonly runbook: string };
    }[];
  }[];
}

const rules = (parse(textOf('deploy/prometheus/alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
const runbook = textOf('docs/runbook.md');

it('has a part of the runbook for each alert, and no part for an alert that is gone', () => {
  const parts = [...runbook.matchAll(/^## (Commonweal\w+)$/gm)].map(([, name = '']) => name);
  expect(parts.length).toBeGreaterThan(20);
  expect(rules.map(({ alert }) => alert)).toEqual(parts);
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
});

it('says of each alert how urgent it is, and waits before it fires', () => {
  for (const { alert, labels, annotations, ...rule } of rules) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
    expect([alert, rule.for]).toEqual([alert, expect.stringMatching(/^\d+[mh]$/)]);
    expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/\.$/)]);
  }
});

it('explains every metric that an alert asks for', () => {
  const metrics = new Set(rules.flatMap(({ expr }) => expr.match(/\bcommonweal_\w+/g) ?? []));
  for (const metric of metrics)
    expect(textOf('docs/watching.md')).toContain(`\`${metric.replace(/_(bucket|count|sum)$/, '')}`);
});

it('scrapes, in the example, the port and with the token of the compose file', () => {
  const [scraped] = (parse(textOf('deploy/prometheus/prometheus.yml')) as Scrapes).scrape_configs;
  const compose = parse(textOf('docker-compose.yml'), { merge: true }) as Compose;
  const { environment = {} } = compose.services['api-1'] ?? {};
  const targets = scraped?.static_configs.flatMap((each) => each.targets) ?? [];
  expect(environment['METRICS_PORT']).toBe('${METRICS_PORT:-9464}');
  for (const target of targets) {
    const [service = '', port] = target.split(':');
    expect([service, port, compose.services[service]?.build]).toEqual([service, '9464', '.']);
  }
  expect(scraped?.authorization.credentials_file).toBe(environment['METRICS_TOKEN_FILE']);
  expect(compose.services['prometheus']).toMatchObject({ profiles: ['metrics'], secrets: ['metrics_token'] });
});

interface Scrapes {
  readonly scrape_configs: readonly {
    readonly authorization: { readonly credentials_file: string };
    readonly static_configs: readonly { readonly targets: readonly string[] }[];
  }[];
}

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly build?: string; readonly environment?: Readonly<Record<string, string>> }>
  >;
}
