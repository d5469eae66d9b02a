import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { runCommandLine } from '../support/command-line.ts';
import { namesIn, panelQueries, variableQueries } from '../support/dashboard.ts';
import { missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { hasPromtool, promtool } from '../support/promtool.ts';
import { familiesIn, familyOf, seriesOf } from '../support/scrape.ts';
import { startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const administrator = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'nine patient otters diving' };
const guide = readFileSync(new URL('../../docs/watching.md', import.meta.url), 'utf8');

/** Prometheus gives them to all that it scrapes. */
const ofPrometheus = ['job', 'instance'];
/** All their values are there from the start, so a query for another one finds nothing, ever. */
const fixedValues = ['le', 'longer_than', 'thread'];

describe.skipIf(missing)(onEngines('the metrics of a server'), () => {
  const folder = temporaryFolder();
  let server: Serving | undefined;
  let idle = '';
  let driven = '';

  beforeAll(async () => {
    const port = await freePort();
    server = await startServing(folder.path, { ...administrator, METRICS_PORT: String(port) });
    const { origin } = server;
    const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    /** Every thread has answered, and the stores have told the status. */
    const whole = async () => {
      const text = await scrape();
      const series = seriesOf(text);
      const threads = series.filter(({ name }) => name === 'commonweal_thread_answers');
      const isWhole = [...threads, ...series.filter(({ name }) => name === 'commonweal_status_available')];
      return threads.length > 0 && isWhole.every(({ value }) => value === 1) && text;
    };
    idle = await until(whole);

    const browser = new PlainBrowser(origin);
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
    await (await browser.open('/dash/sign-in')).press('Sign in', { email, password });
    const team = ['teams', 'create', 'harbour', '--name', 'Harbour House', '--json'];
    expect(await runCommandLine(team, folder.path)).toMatchObject({ code: 0 });
    const list = `${origin}/dash/api/v1/resources`;
    const authorization = `Bearer api_dk_${'x'.repeat(30)}`;
    for (let n = 0; n < 20; n++) await fetch(list, { headers: { authorization } });
    driven = await until(async () => {
      const text = await whole();
      return text !== false && text.includes('commonweal_projection_events_total{projection="teams"') && text;
    });
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    folder.remove();
  });

  it('has fewer than 600 series while nobody asks it anything', () => {
    expect(seriesOf(idle).length).toBeGreaterThan(200);
    expect(seriesOf(idle).length).toBeLessThan(600);
  });

  it.each([...panelQueries, ...variableQueries])(
    'has what the dashboard asks for: $at',
    ({ expr, shown }) => {
      const { selected, grouped, others } = namesIn(expr);
      expect(others).toEqual([]);
      expect(selected.length).toBeGreaterThan(0);
      const families = familiesIn(driven);
      const labelsOfAll = new Set(ofPrometheus);
      for (const { metric, labels } of selected) {
        expect([...families]).toContain(families.has(metric) ? metric : familyOf(metric));
        const series = seriesOf(driven).filter(({ name }) => name === metric);
        const own = new Set(series.flatMap((each) => Object.keys(each.labels)));
        // What has not happened yet has no series: its labels are those of the guide.
        if (series.length === 0) for (const label of labelsInGuide(metric)) own.add(label);
        for (const label of own) labelsOfAll.add(label);
        for (const [label, value] of labels) {
          expect([metric, ...own, ...ofPrometheus]).toContain(label);
          if (value === undefined || !fixedValues.includes(label)) continue;
          expect(series.map((each) => each.labels[label])).toContain(value);
        }
      }
      for (const label of [...grouped, ...shown]) expect([...labelsOfAll]).toContain(label);
    },
  );

  it.skipIf(!hasPromtool)('has nothing that promtool finds wrong (needs promtool)', () => {
    for (const text of [idle, driven]) expect(promtool(['check', 'metrics'], text)).toBe('');
    // It does find what is wrong.
    expect(promtool(['check', 'metrics'], '# TYPE x_total gauge\nx_total 1\n')).toContain('_total');
  });
});

/** The labels in the row of the guide's table that names a metric, and that of all metrics of a thread. */
function labelsInGuide(metric: string): string[] {
  const row = guide
    .split('\n')
    .find((line) => line.startsWith('|') && line.includes(`\`${familyOf(metric)}\``));
  const [, , labels = ''] = row?.split('|') ?? [];
  expect([metric, row]).toEqual([metric, expect.any(String)]);
  return [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label);
}
