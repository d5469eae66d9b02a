import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { dashboard, namesIn, panelQueries, variableQueries, type Panel } from '../../support/dashboard.ts';
import { hasPromtool, promtool, promtoolOnRules } from '../../support/promtool.ts';
import { familyOf } from '../../support/scrape.ts';

const root = new URL('../../../', import.meta.url);
const { panels } = dashboard;
const graphs = panels.filter(({ type }) => type !== 'row');

it('has variables for the data source, the job and the node, and uses all three everywhere', () => {
  expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['job', 'query'],
    ['instance', 'query'],
  ]);
  // Grafana 12.
  expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(41);
  const source = { type: 'prometheus', uid: '${datasource}' };
  for (const { title, datasource, targets = [] } of graphs)
    for (const each of [datasource, ...targets.map((target) => target.datasource)])
      expect([title, each]).toEqual([title, source]);
  expect(variableQueries.map(({ shown }) => shown)).toEqual([['job'], ['instance']]);
  for (const { at, expr } of panelQueries)
    for (const { metric } of namesIn(expr).selected)
      expect([at, expr]).toEqual([
        at,
        expect.stringContaining(`${metric}{job=~"$job", instance=~"$instance"`),
      ]);
});

it('has a row for each part of the service', () => {
  const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  expect(rows).toEqual([
    'Now',
    'Requests',
    'Appends and the log',
    'Read models',
    'Webhooks',
    'Sign-in',
    'Jobs and health',
    'Copies and tests of backups',
    'Followed directories',
    'Process',
  ]);
});

it('has an id and a place of its own for each panel', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { title, gridPos } of panels) {
    expect([title, gridPos.x >= 0, gridPos.x + gridPos.w <= 24, gridPos.w > 0, gridPos.h > 0]).toEqual([
      title,
      ...[true, true, true, true],
    ]);
  }
  const overlapping = panels.flatMap((one, index) =>
    panels.slice(index + 1).flatMap((other) => (overlap(one, other) ? [`${one.title}, ${other.title}`] : [])),
  );
  expect(overlapping).toEqual([]);
});

const overlap = ({ gridPos: one }: Panel, { gridPos: other }: Panel): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;

/** As Grafana names them. */
const units = ['short', 's', 'bytes', 'percentunit', 'reqps', 'ops', 'eps'];

it('has a unit, an explanation and queries of different letters in each panel', () => {
  expect(graphs.length).toBeGreaterThan(40);
  for (const { title, description, fieldConfig, targets = [] } of graphs) {
    expect([title, units]).toEqual([title, expect.arrayContaining([fieldConfig?.defaults.unit])]);
    expect([title, description]).toEqual([title, expect.stringMatching(/\.$/)]);
    expect([title, targets.length > 0]).toEqual([title, true]);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  }
});

it('shows what the guide explains, and names alerts that there are', () => {
  const guide = readFileSync(new URL('docs/watching.md', root), 'utf8');
  const names = [...panelQueries, ...variableQueries].flatMap(({ expr }) => namesIn(expr).selected);
  const ours = new Set(
    names.map(({ metric }) => familyOf(metric)).filter((name) => name.startsWith('commonweal_')),
  );
  expect(ours.size).toBeGreaterThan(40);
  for (const name of ours) expect([name, guide.includes(`\`${name}\``)]).toEqual([name, true]);
  const alerts = readFileSync(new URL('deploy/prometheus/alerts.yml', root), 'utf8');
  const named = graphs.flatMap(({ description = '' }) => description.match(/\bCommonweal[A-Z]\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(5);
  for (const alert of named) expect(alerts).toContain(`alert: ${alert}\n`);
});

it('shows each metric of copies and tests of backups and of followed directories that the guide explains', () => {
  const guide = readFileSync(new URL('docs/watching.md', root), 'utf8');
  const explained = guide.match(/(?<=`)commonweal_(?:followed|backup)_\w+(?=`)/g) ?? [];
  const shown = new Set(
    panelQueries.flatMap(({ expr }) => namesIn(expr).selected.map(({ metric }) => metric)),
  );
  expect(explained.length).toBeGreaterThanOrEqual(10);
  for (const name of explained) expect([name, shown.has(name)]).toEqual([name, true]);
});

it.skipIf(!hasPromtool)('has queries and alert rules that Prometheus takes (needs promtool)', () => {
  expect(promtool(['check', 'rules', fileURLToPath(new URL('deploy/prometheus/alerts.yml', root))])).toBe('');
  const rules = [...panelQueries, ...variableQueries].map(({ expr }, index) => ({
    record: `query:number_${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  expect(promtoolOnRules({ groups: [{ name: 'dashboard', rules }] })).toBe('');
  // It does find what is wrong.
  const wrong = [{ record: 'query:wrong', expr: 'sum(rate(up))' }];
  expect(promtoolOnRules({ groups: [{ name: 'wrong', rules: wrong }] })).toContain('range vector');
});
