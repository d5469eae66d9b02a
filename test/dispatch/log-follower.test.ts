import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogFollower } from '../../src/dispatch/log-follower.ts';
import { openScene, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

test('other work of the thread has its turn between the pages of a long backlog', async () => {
  const { store } = scene.stores;
  const follower = await LogFollower.fromNow({ store, onFault: () => (error) => console.log(error) });
  const events = Array.from({ length: 250 }, () => ({
    id: randomUUID(),
    type: 'SubscriptionPaused',
    data: {},
    metadata: { commonweal_schema: 1 },
  }));
  await store.append(`webhook-subscription-${randomUUID()}`, events, 'no_stream');
  const stop = new AbortController();
  let told = 0;
  let atFirstTurn: number | undefined;
  await follower.follow(() => {
    if (told === 0) setImmediate(() => (atFirstTurn = told));
    told += 1;
    if (told === events.length) stop.abort();
  }, stop.signal);
  expect(told).toBe(events.length);
  expect(atFirstTurn).toBe(100);
});
