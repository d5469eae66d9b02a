import { randomUUID } from 'node:crypto';
import { subscribe as listen, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandDelivery } from '../../src/commands/webhooks/delivery.ts';
import { commandSubscription } from '../../src/commands/webhooks/subscription.ts';
import { backlogOf } from '../../src/dispatch/backlog.ts';
import type { MeasuredAttempt } from '../../src/dispatch/measured.ts';
import { replay } from '../../src/dispatch/operations/replay.ts';
import { caughtUp } from '../support/projector.ts';
import { until } from '../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const at = (time: Date) => ({ ...operator(), at: time });

/** A delivery that is due since then. */
async function schedule(subscription: string, since: Date): Promise<void> {
  const delivery = randomUUID();
  const data = {
    delivery,
    subscription,
    team: 'harbour',
    event: 'resource.approved',
    source: { stream: 'resource-1', revision: 1, event_id: randomUUID() },
    occurred_at: since.toISOString(),
    payload_version: 1,
    body_sha256: '0'.repeat(64),
  } as const;
  await commandDelivery(scene.stores.store, delivery, { kind: 'schedule', data }, at(since));
}

const change = (subscription: string, kind: 'pause' | 'resume', time: Date) =>
  commandSubscription(scene.stores, subscription, { kind }, at(time));

describe('the backlog', () => {
  const dueOf = async (due?: number) => {
    await caughtUp(scene.stores);
    return backlogOf(scene.stores, new Date(), due === undefined ? undefined : { deliveries: 100_000, due });
  };

  test('counts what is held as pending, and not as due', async () => {
    const [held, active] = await scene.subscribe('http://127.0.0.1:9', 2);
    if (!held || !active) throw new Error('Both were made.');
    await change(held.id, 'pause', hoursAgo(5));
    for (let n = 0; n < 4; n++) await schedule(held.id, hoursAgo(4));
    expect(await dueOf()).toMatchObject({ pending: 4, oldest_due_at: null, due: { all: 0, 60: 0 } });
    await schedule(active.id, new Date());
    // Also when the held ones are more than are looked at.
    for (const atMost of [undefined, 3])
      expect(await dueOf(atMost)).toMatchObject({ due: { all: 1, 60: 0, 3600: 0 } });
  });

  test('counts what was held as due since it was resumed', async () => {
    const [held] = await scene.subscribe('http://127.0.0.1:9', 1);
    if (!held) throw new Error('It was made.');
    await change(held.id, 'pause', hoursAgo(5));
    await schedule(held.id, hoursAgo(4));
    const resumed = new Date(Date.now() - 90_000);
    await change(held.id, 'resume', resumed);
    expect(await dueOf()).toMatchObject({
      oldest_due_at: resumed.toISOString(),
      due: { all: 1, 60: 1, 600: 0, 3600: 0 },
    });
  });
});

test('how late first attempts are is measured of events that were neither held nor replayed', async () => {
  const measured: MeasuredAttempt[] = [];
  const onAttempt = (message: unknown) => measured.push(message as MeasuredAttempt);
  listen('commonweal:webhook-attempt', onAttempt);
  scene.atEnd(() => Promise.resolve(unsubscribe('commonweal:webhook-attempt', onAttempt)));
  const { base } = await startReceiver(scene);
  const [subscriber] = await scene.subscribe(base, 1);
  const subscription = subscriber?.id ?? '';
  await change(subscription, 'pause', new Date());
  await caughtUp(scene.stores);
  // Dispatched two hours later: nothing else makes a delay that could be told from a busy machine.
  let later = 0;
  startDispatcher(scene, { shards: 1, now: () => new Date(Date.now() + later) });
  await scene.approve();
  await scene.happened('DeliveryScheduled');
  later = 2 * 3_600_000;
  await change(subscription, 'resume', new Date(Date.now() + 1));
  await until(() => measured.length === 1);
  expect(measured[0]).toEqual({ sent: expect.anything() as never, firstAfterSeconds: undefined });

  // Of an active subscription it is measured, however late.
  await scene.approve();
  await until(() => measured.length === 2);
  expect(measured[1]?.firstAfterSeconds).toBeGreaterThan(7_000);

  const [another] = await scene.subscribe(base, 1);
  await caughtUp(scene.stores);
  const from = { after: 0n };
  await replay(
    { ...scene.stores, now: () => new Date() },
    { subscription: another?.id ?? '', from },
    operator(),
  );
  await until(() => measured.length === 4);
  expect(measured.slice(2).map(({ firstAfterSeconds }) => firstAfterSeconds)).toEqual([undefined, undefined]);
});
