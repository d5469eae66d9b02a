import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { RequestDurations } from '../../src/metrics/request-durations.ts';

it('is a histogram of seconds by route, method and class of the status', async () => {
  const registry = new Registry();
  const durations = new RequestDurations(registry);
  durations.observe('/a/:id', 'GET', 200, 0.0004);
  durations.observe('/a/:id', 'GET', 204, 0.004);
  durations.observe('/a/:id', 'GET', 200, 60);
  durations.observe('/a/:id', 'GET', 503, 0.5);
  const text = await registry.metrics();
  const line = (suffix: string, status: string, le = '') =>
    `commonweal_http_request_duration_seconds_${suffix}{${le}route="/a/:id",method="GET",status="${status}"}`;
  expect(text).toContain('# TYPE commonweal_http_request_duration_seconds histogram');
  for (const [bound, count] of [
    ['0.001', 1],
    ['0.005', 2],
    ['10', 2],
    ['+Inf', 3],
  ] as const)
    expect(text).toContain(`${line('bucket', '2xx', `le="${bound}",`)} ${count}`);
  expect(text).toContain(`${line('count', '2xx')} 3`);
  expect(text).toContain(`${line('sum', '2xx')} 60.0044`);
  expect(text).toContain(`${line('count', '5xx')} 1`);
});

it('has no more series for a caller who invents methods and addresses', async () => {
  const registry = new Registry();
  const durations = new RequestDurations(registry);
  for (let n = 0; n < 1_000; n++) durations.observe(undefined, `METHOD${n}`, 404 + (n % 2), 0.001);
  const counts = (await registry.metrics()).split('\n').filter((each) => each.includes('_count{'));
  expect(counts).toEqual([
    'commonweal_http_request_duration_seconds_count{route="none",method="other",status="4xx"} 1000',
  ]);
});
