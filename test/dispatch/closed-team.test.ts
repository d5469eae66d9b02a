import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeTeam, reopenTeam } from '../../src/commands/teams/closing.ts';
import { expireRound } from '../../src/dispatch/operations/expiry.ts';
import { caughtUp } from '../support/projector.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from './harness.ts';

const closing = '00000000-0000-4000-8000-00000000000c';
const dayMs = 86_400_000;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.dispose());

const close = () => closeTeam(scene.stores.store, { team: 'harbour', name: 'Harbour', closing }, operator());

/** A delivery to a webhook of a team that is closed, and one to a webhook of another team that was sent. */
async function heldDelivery() {
  const to = await startReceiver(scene);
  await scene.subscribe(to.base, 1);
  await scene.subscribe(`${to.base}/uphill`, 1, 'uphill');
  await scene.approve(1);
  await close();
  await scene.approve(1, 'uphill');
  const dispatcher = startDispatcher(scene, { shards: 1 });
  await scene.happened('DeliverySucceeded', 1);
  await scene.happened('DeliveryScheduled', 2);
  return { to, dispatcher };
}

test('nothing is sent to the webhooks of a closed team, and what waits is sent when it is open again', async () => {
  const { dispatcher } = await heldDelivery();
  expect(dispatcher.sent).toEqual(['/uphill/0']);
  await reopenTeam(scene.stores.store, { team: 'harbour', closing }, operator());
  await scene.happened('DeliverySucceeded', 2);
  expect(dispatcher.sent).toEqual(['/uphill/0', '/0']);
  expect(dispatcher.faults).toEqual([]);
});

test('what waits for the webhooks of a closed team expires as what waits for a paused one', async () => {
  const { dispatcher } = await heldDelivery();
  await dispatcher.stop();
  await caughtUp(scene.stores);
  const round = async (days: number) =>
    expireRound(scene.stores, new Date(Date.now() + days * dayMs), { heldMs: 30 * dayMs });
  expect(await round(29)).toBe(0);
  expect(await round(31)).toBe(1);
});
