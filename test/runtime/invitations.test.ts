import { afterAll, beforeAll, expect, test } from 'vitest';
import { invitationOf } from '../../src/commands/teams/invitation-keys.ts';
import { eraseLeftoverKeys, expireInvitations } from '../../src/runtime/invitations.ts';
import { invitations } from '../../src/projections/teams-invitations.ts';
import { anAddress, startDashboard, type Dashboard } from '../api/accounts/harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

const week = 7 * 86_400_000;
const keys = () => dash.system.vault.names('invitation/');
const statusOf = async (id: string) =>
  (await dash.system.documents.collection(invitations.collection).get(id))?.status;

test('invitations are ended when their time is over, and their addresses made unreadable', async () => {
  const now = new Date();
  const late = await dash.invited('harbour', anAddress(), 'member', new Date(now.getTime() - week));
  const inTime = await dash.invited('harbour', anAddress(), 'member', now);
  await expireInvitations(dash.system, now);
  await dash.caughtUp();
  expect(await statusOf(late.invitation)).toBe('expired');
  expect(await statusOf(inTime.invitation)).toBe('open');
  expect(await keys()).toEqual([invitationOf(inTime.invitation)]);
  await expireInvitations(dash.system, new Date(now.getTime() + week));
  await dash.caughtUp();
  expect(await statusOf(inTime.invitation)).toBe('expired');
  expect(await keys()).toEqual([]);
});

test('keys that a stopped process left behind are destroyed, and none that an invitation needs', async () => {
  const { vault, personal } = dash.system;
  const open = await dash.invited('harbour', anAddress(), 'member');
  const ended = await dash.invited('harbour', anAddress(), 'member', new Date(Date.now() - week));
  await expireInvitations(dash.system, new Date());
  await dash.caughtUp();
  // As after a stop between the event and the erasure, and between the key and the event.
  await personal.begin(invitationOf(ended.invitation));
  const never = crypto.randomUUID();
  await personal.begin(invitationOf(never));

  const unknown = new Set<string>();
  await eraseLeftoverKeys(dash.system, unknown);
  expect(await vault.get(invitationOf(ended.invitation))).toBeUndefined();
  expect(await vault.get(invitationOf(never)), 'it may be about to be used').toBeDefined();
  await eraseLeftoverKeys(dash.system, unknown);
  expect(await keys()).toEqual([invitationOf(open.invitation)]);
});
