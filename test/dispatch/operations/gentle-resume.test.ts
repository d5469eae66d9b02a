import { afterEach, beforeEach, expect, test } from 'vitest';
import { confirmWithTest } from '../../../src/dispatch/operations/test-delivery.ts';
import { laneConcurrency, slowStart } from '../../../src/dispatch/delivery-policy.ts';
import { schedule } from '../../../src/dispatch/retry-schedule.ts';
import { clock } from '../../support/clock.ts';
import { caughtUp } from '../../support/projector.ts';
import { until } from '../../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from '../harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const day = 24 * 3_600_000;

/** The most requests under way after so many successes. */
const allowedAfter = (successes: number): number =>
  Math.min(slowStart.concurrency * slowStart.growth ** successes, laneConcurrency);

/** A receiver that is down, then accepts one test, and from then on holds each request until it is told to answer. */
async function recovering() {
  let state: 'down' | 'tested' | 'up' = 'down';
  const underWay: (() => void)[] = [];
  const tooMany: string[] = [];
  let accepted = 0;
  const { base, times } = await startReceiver(scene, (response) => {
    if (state === 'down') return response.writeHead(500).end();
    if (state === 'tested') {
      state = 'up';
      return response.writeHead(204).end();
    }
    underWay.push(() => response.writeHead(204).end());
    if (underWay.length > allowedAfter(accepted))
      tooMany.push(`${underWay.length} after ${accepted} successes`);
  });
  return {
    base,
    times,
    underWay,
    tooMany,
    comeBack: () => (state = 'tested'),
    /** Accepts the one that has waited longest. */
    accept() {
      accepted += 1;
      underWay.shift()?.();
      return accepted;
    },
  };
}

test('what was held through an auto-pause is sent no faster than the slow start allows, and all of it', async () => {
  const to = await recovering();
  const [subscriber] = await scene.subscribe(to.base, 1);
  const other = await startReceiver(scene);
  await scene.subscribe(other.base, 1, 'uphill');
  const time = clock();
  const { faults } = startDispatcher(scene, { shards: 1, delays: schedule, random: () => 0.5, ...time });

  await scene.approve(10);
  await scene.happened('DeliveryAttemptFailed', 10);
  await caughtUp(scene.stores);
  time.advance(day + 60_000);
  await scene.happened('SubscriptionAutoPaused');
  await scene.approve(200);
  const scheduled = await scene.happened('DeliveryScheduled', 210);
  expect(to.times.size).toBe(10);

  to.comeBack();
  const contexts = { test: operator(), confirm: operator() };
  const { delivery } = await confirmWithTest(scene.stores, subscriber?.id ?? '', contexts, 60_000);
  let successes = 0;
  while (successes < 5) {
    await until(() => to.underWay.length >= allowedAfter(successes));
    // While what another team sends comes and goes, nothing is added.
    await scene.approve(1, 'uphill');
    await until(() => other.times.size === successes + 1);
    expect(to.tooMany).toEqual([]);
    expect(to.underWay.length).toBe(allowedAfter(successes));
    successes = to.accept();
  }
  expect(allowedAfter(successes)).toBe(laneConcurrency);
  while (successes < 210) {
    // What failed as the last before the pause is due a little later than the others.
    await until(() => {
      if (to.underWay.length === 0) time.advance(1_000);
      return to.underWay.length > 0;
    });
    successes = to.accept();
  }

  await scene.happened('DeliverySucceeded', 1 + 210 + other.times.size);
  expect(to.tooMany).toEqual([]);
  const expected = [delivery, ...scheduled.map(({ stream }) => stream.replace('webhook-delivery-', ''))];
  expect([...to.times.keys()].sort()).toEqual(expected.sort());
  expect([...to.times.values()].filter((times) => times > 1)).toHaveLength(10);
  expect(faults).toEqual([]);
});
