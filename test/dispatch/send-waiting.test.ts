import { afterEach, beforeEach, expect, test } from 'vitest';
import { pauseOutlook } from '../../src/dispatch/operations/pause-outlook.ts';
import { replay } from '../../src/dispatch/operations/replay.ts';
import { resendEach } from '../../src/dispatch/operations/resend.ts';
import { caughtUp } from '../support/projector.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const hour = 3_600_000;

test('what waits for its next attempt is sent now when somebody asks for it, each once', async () => {
  let status = 500;
  const { base, times } = await startReceiver(scene, (response) => response.writeHead(status).end());
  const [subscriber] = await scene.subscribe(base, 1);
  const { faults } = startDispatcher(scene, { delays: [0, hour, hour] });
  await scene.approve(3);
  await scene.happened('DeliveryAttemptFailed', 3);
  await caughtUp(scene.stores);
  const waiting = { subscription: subscriber?.id ?? '', status: 'pending' as const };
  const now = () => new Date().toISOString();

  status = 204;
  expect(await resendEach(scene.stores, { ...waiting, since: now() }, operator())).toBe(3);
  await scene.happened('DeliverySucceeded', 3);
  expect([...times.values()]).toEqual([2, 2, 2]);
  expect(faults).toEqual([]);
  await caughtUp(scene.stores);
  expect(await resendEach(scene.stores, { ...waiting, since: now() }, operator())).toBe(0);
});

test('a replay has an end: what happened after it is left out', async () => {
  const { base } = await startReceiver(scene);
  await scene.approve(2);
  const [first] = await scene.logged('ResourceApproved');
  const end = new Date(String(first?.metadata['at']));
  const [subscriber] = await scene.subscribe(base, 1);
  const subscription = subscriber?.id ?? '';
  const dispatching = { ...scene.stores, now: () => new Date() };
  const from = { since: new Date(0) };
  const before = { subscription, from, until: new Date(end.getTime() - 1) };
  expect(await replay(dispatching, before, operator())).toMatchObject({ scheduled: 0, more: false });
  const long = { subscription, from, until: new Date(end.getTime() - 2 * hour) };
  expect(await replay(dispatching, long, operator())).toMatchObject({ scheduled: 0, more: false });
  const all = { subscription, from, until: new Date() };
  expect(await replay(dispatching, all, operator())).toMatchObject({ scheduled: 2, more: false });
});

test('a webhook that fails says when it is paused, and how much must fail until then', () => {
  const rule = { afterMs: 24 * hour, deliveries: 10 };
  const failing_since = '2026-03-01T12:00:00.000Z';
  expect(pauseOutlook({ failing_since, failing: 4 }, rule)).toEqual({
    failing_since,
    pauses_at: '2026-03-02T12:00:00.000Z',
    more_deliveries: 6,
  });
  expect(pauseOutlook({ failing_since, failing: 100 }, rule)?.more_deliveries).toBe(0);
  expect(pauseOutlook({ failing_since: null, failing: 0 }, rule)).toBeUndefined();
});
