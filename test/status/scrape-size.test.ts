import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { publicScopes } from '../../src/events/teams.ts';
import { Measurements } from '../../src/status/measurements.ts';
import { scrape } from '../../src/runtime/operators/scrape.ts';
import { gatherStatus } from '../../src/status/status.ts';
import { context, startSystem, type RunningSystem } from '../api/harness.ts';
import { routesOf } from '../support/routes.ts';

const mostBytes = 1_000_000;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as const;

const measurements = new Measurements('main');
let running: RunningSystem;
beforeAll(async () => {
  running = await startSystem({
    requestDurations: measurements.requests,
    environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
});
afterAll(() => running.stop());

const scraped = async (): Promise<string> => {
  const status = await gatherStatus(running.system);
  const parts = {
    measurements,
    threads: () => [],
    status: () => Promise.resolve(status),
    ready: () => Promise.resolve(true),
  };
  return (await scrape(parts)).text;
};
const seriesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('commonweal_'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')));

it('has no series for a team or a subscription', async () => {
  const before = seriesIn(await scraped());
  for (const team of ['harbour', 'uphill', 'millbrook']) {
    await running.team(team);
    for (const path of ['one', 'two'])
      await createSubscription(
        running.system,
        { team, url: `http://127.0.0.1:9/${path}`, events: ['member.joined'] },
        newSigningSecret(randomBytes),
        context(),
      );
  }
  await running.caughtUp();
  expect(seriesIn(await scraped())).toEqual(before);
});

it('stays small when somebody tries every method at every address', { timeout: 180_000 }, async () => {
  const routes = routesOf(running.server.printRoutes({ commonPrefix: false }));
  expect(routes.length).toBeGreaterThan(150);
  const { bearer } = await running.key({ scopes: [...publicScopes] });
  for (const url of routes)
    for (const method of methods)
      for (const headers of [{}, bearer])
        await running.server.inject({ method: method as 'GET', url, headers });
  const text = await scraped();
  expect(Buffer.byteLength(text)).toBeLessThan(mostBytes);
  const counted = new Set(
    [...text.matchAll(/^commonweal_http_requests_total\{route="([^"]+)"/gm)].map(([, at]) => at),
  );
  expect(counted.size).toBeGreaterThan(150);
});
