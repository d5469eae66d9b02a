import { afterEach, beforeEach, expect, test } from 'vitest';
import { randomBytes } from 'node:crypto';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { commandSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { addressOf } from '../../../src/api/webhooks/addresses.ts';
import { mailTime } from '../../../src/tables/shown-time.ts';
import { noticePause } from '../../../src/dispatch/operations/pause-notices.ts';
import type { MemberRole } from '../../../src/events/teams.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { caughtUp } from '../../support/projector.ts';
import { until } from '../../support/until.ts';
import { openScene, operator, startDispatcher, startReceiver, type Scene } from '../harness.ts';

const masterKey = randomBytes(32);
let scene: Scene;
let outbox: Outbox;
beforeEach(async () => {
  scene = await openScene();
  outbox = new Outbox({ side: scene.stores.side, masterKey });
});
afterEach(() => scene.dispose());

async function member(name: string, role: MemberRole, { confirmed = true } = {}): Promise<string> {
  const email = `${name}@example.org`;
  const { userId } = await registerPerson(scene.stores, { email, profile: { name } }, operator());
  if (confirmed) {
    const { email: index } = await requirePerson(scene.stores, userId);
    await commandPerson(scene.stores, userId, { kind: 'verify-email', email: index }, operator());
  }
  await joinTeam(scene.stores, { team: 'harbour', user: userId, role }, operator());
  return userId;
}

/** A subscription whose receiver answers 410, and dispatchers that see it. */
async function pausedByTwo() {
  const to = await startReceiver(scene, (response) => response.writeHead(410).end());
  const [subscriber] = await scene.subscribe(`${to.base}/secret-path?token=hidden&`, 1);
  const id = subscriber?.id ?? '';
  const settings = { outbox, base: 'https://directory.example' };
  const dispatchers = [startDispatcher(scene, settings), startDispatcher(scene, settings)];
  await scene.approve();
  const [paused] = await scene.happened('SubscriptionAutoPaused');
  if (!paused) throw new Error('It was not paused.');
  return { id, paused, dispatchers };
}

test('the admins of a team, and nobody else, are told once that a subscription was paused', async () => {
  await member('ada', 'admin');
  await member('grace', 'admin');
  await member('joan', 'member');
  await member('mallory', 'admin', { confirmed: false });
  await erasePerson(scene.stores, await member('gone', 'admin'), operator());
  const { id, paused, dispatchers } = await pausedByTwo();
  await until(async () => (await outbox.waiting()).length === 2);
  const mails = await outbox.waiting();
  expect(mails.map(({ to }) => to).sort()).toEqual(['ada@example.org', 'grace@example.org']);
  for (const { subject, text } of mails) {
    expect(subject).toMatch(/^Webhooks to 127\.0\.0\.1:\d+ are paused$/);
    expect(text).toContain('The receiver answered 410 Gone.');
    expect(text).toContain(mailTime(String(paused.metadata['at'])));
    expect(text).toContain(`subscriptions confirm ${id}`);
    expect(text).toContain(`the team Harbour sends`);
    expect(text).toContain(`   https://directory.example${addressOf('harbour', id)}\n`);
    expect(text).not.toContain('secret-path');
    expect(text).not.toContain('hidden');
  }
  await Promise.all(dispatchers.map((each) => each.stop()));

  // The mail was sent and the event comes once more, as after a crash before it was acknowledged.
  for (const mail of mails) await outbox.remove(mail);
  await caughtUp(scene.stores);
  const again = { ...scene.stores, now: () => new Date() };
  await noticePause(again, outbox, paused);
  expect(await outbox.waiting()).toEqual([]);
  expect(await outbox.newest()).toEqual([]);
});

test('nobody is told of a pause that is long ago, or is over', async () => {
  await member('ada', 'admin');
  const [subscriber] = await scene.subscribe('http://127.0.0.1:9', 1);
  const id = subscriber?.id ?? '';
  await commandSubscription(scene.stores, id, { kind: 'auto-pause', reason: 'It is gone.' }, operator());
  const [paused] = await scene.logged('SubscriptionAutoPaused');
  if (!paused) throw new Error('It was not paused.');
  await caughtUp(scene.stores);
  const inAWeek = () => new Date(Date.now() + 8 * 24 * 3_600_000);
  await noticePause({ ...scene.stores, now: inAWeek }, outbox, paused);
  expect(await outbox.waiting()).toEqual([]);
  await commandSubscription(scene.stores, id, { kind: 'delete' }, operator());
  await noticePause({ ...scene.stores, now: () => new Date() }, outbox, paused);
  expect(await outbox.waiting()).toEqual([]);
});
