import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { requestStatus } from '../../src/status/answered-requests.ts';
import { RequestDurations } from '../../src/status/request-durations.ts';

it('is a histogram of seconds by route, and a counter by route, method and class of the status', async () => {
  const registry = new Registry();
  const durations = new RequestDurations(registry);
  durations.observe('/a/:id', 'GET', 200, 0.0004);
  durations.observe('/a/:id', 'GET', 204, 0.004);
  durations.observe('/a/:id', 'POST', 200, 60);
  durations.observe('/a/:id', 'GET', 503, 0.5);
  const text = await registry.metrics();
  expect(text).toContain('# TYPE commonweal_http_request_duration_seconds histogram');
  expect(text).toContain('# TYPE commonweal_http_requests_total counter');
  const line = (suffix: string, le = '') =>
    `commonweal_http_request_duration_seconds_${suffix}{${le}route="/a/:id"}`;
  for (const [bound, count] of [
    ['0.001', 1],
    ['0.005', 2],
    ['10', 3],
    ['+Inf', 4],
  ] as const)
    expect(text).toContain(`${line('bucket', `le="${bound}",`)} ${count}`);
  expect(text).toContain(`${line('count')} 4`);
  expect(text).toContain(`${line('sum')} 60.5044`);
  for (const [method, status, count] of [
    ['GET', '2xx', 2],
    ['POST', '2xx', 1],
    ['GET', '5xx', 1],
  ] as const)
    expect(text).toContain(
      `commonweal_http_requests_total{route="/a/:id",method="${method}",status="${status}"} ${count}`,
    );
});

it('has no more series for a caller who invents methods and addresses', async () => {
  const registry = new Registry();
  const durations = new RequestDurations(registry);
  for (let n = 0; n < 1_000; n++) durations.observe(undefined, `METHOD${n}`, 404 + (n % 2), 0.001);
  for (const method of ['PUT', 'DELETE', 'OPTIONS']) durations.observe('/a', method, 405, 0.001);
  const counts = (await registry.metrics())
    .split('\n')
    .filter((each) => each.startsWith('commonweal_http_requests_total{'));
  expect(counts).toEqual([
    'commonweal_http_requests_total{route="none",method="other",status="4xx"} 1000',
    'commonweal_http_requests_total{route="/a",method="other",status="4xx"} 3',
  ]);
});

describe('what was answered lately', () => {
  const start = Date.parse('2026-03-01T00:00:00.000Z');
  const minutes = (count: number) => start + count * 60_000;

  it('is counted since the start, without the questions of probes, and after an hour since an hour ago', () => {
    const durations = new RequestDurations(undefined, start);
    const observed = (status: number, seconds = 0.001) => durations.observe('/a', 'GET', status, seconds);
    observed(500);
    durations.observe('/readyz', 'GET', 503, 60);
    for (let minute = 1; minute <= 5; minute++)
      expect(durations.lately(minutes(minute)).since).toMatch(/00:00:00/);
    observed(200, 20);
    observed(404);
    expect(durations.lately(minutes(6))).toMatchObject({
      since: '2026-03-01T00:00:00.000Z',
      by_status: { '5xx': 1, '2xx': 1, '4xx': 1 },
    });
    for (let minute = 7; minute <= 62; minute++) durations.lately(minutes(minute));
    const { since, by_status, seconds } = durations.lately(minutes(63));
    expect(since).toBe('2026-03-01T00:03:00.000Z');
    expect(by_status).toEqual({ '5xx': 0, '2xx': 1, '4xx': 1 });
    expect(seconds.filter(([, count]) => count > 0)).toEqual([
      [0.001, 1],
      [null, 1],
    ]);
  });

  it('is that of all nodes together, with how long half and most of them took', () => {
    const node = (since: string, fast: number, slow: number) => ({
      answered: {
        since,
        by_status: { '2xx': fast, '5xx': slow },
        seconds: [
          [0.01, fast],
          [0.1, slow],
          [null, 0],
        ] as const,
      },
    });
    expect(requestStatus([{}])).toBeNull();
    expect(requestStatus([node('2026-03-01T00:10:00.000Z', 0, 0)])).toMatchObject({
      requests: 0,
      p50_ms: null,
    });
    expect(
      requestStatus([node('2026-03-01T00:10:00.000Z', 50, 0), {}, node('2026-03-01T00:05:00.000Z', 40, 10)]),
    ).toEqual({
      since: '2026-03-01T00:05:00.000Z',
      requests: 100,
      errors: 10,
      refused: 0,
      p50_ms: 5.6,
      p95_ms: 55,
    });
  });
});
