import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
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
