import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agencyRounds } from '../../../../src/actions/directory/upkeep/asking-rounds.ts';
import { callList } from '../../../../src/actions/directory/upkeep/calls.ts';
import { commandResource } from '../../../../src/commands/directory/resource.ts';
import { chooseAgencyAsking } from '../../../../src/commands/directory/upkeep/agency-asking.ts';
import {
  agencyContactId,
  loadAgencyContact,
} from '../../../../src/commands/directory/upkeep/agency-contact.ts';
import { startSystem, type RunningSystem } from '../../../api/harness.ts';

const dayMs = 86_400_000;
/** A Monday at ten in the morning. */
let now = new Date('2027-12-06T10:00:00Z');
const address = 'ana@pantry.example';
const context = () => ({ actor: { kind: 'system' as const, id: 'cli' }, commandId: randomUUID(), at: now });

let system: RunningSystem;
let svcId = '';
beforeAll(async () => {
  system = await startSystem({ now: () => now });
  Object.assign(system.system.config, { smtpUrl: 'smtp://127.0.0.1:1' });
  await system.team('harbour');
  const fields = () => ({ name: 'Pantry', contacts: [{ name: 'Ana Diaz', email: address }] });
  [svcId = ''] = await system.resources(1, { team: 'harbour', fields });
  await chooseAgencyAsking(system.system, { team: 'harbour', on: true, after_days: 30 }, context());
  await system.caughtUp();
});
afterAll(() => system.stop());

const mailedAt = async () =>
  (
    await loadAgencyContact(
      system.system.store,
      (await agencyContactId(system.system.personal, 'harbour', address)) ?? '',
    )
  )?.mailedAt;

/** Lets days pass until there is another mail. Answers how many. */
async function daysUntilMailed(): Promise<number> {
  const before = await mailedAt();
  const round = agencyRounds(system.system, { base: 'https://directory.example' });
  for (let days = 1; days < 80; days++) {
    now = new Date(now.getTime() + dayMs);
    await round(now);
    await system.caughtUp();
    if ((await mailedAt()) !== before) return days;
  }
  throw new Error('There was no mail.');
}
async function confirm(): Promise<void> {
  await commandResource(system.system, svcId, { kind: 'confirm', by: 'team' }, context());
  await system.caughtUp();
}
const calls = async () =>
  (await callList(system.system, 'harbour', undefined, now)).rows.map(({ reason }) => reason);
const afterDays = (days: number) => (now = new Date(now.getTime() + days * dayMs));

test('a contact that is asked anew, since the record was confirmed meanwhile, gets a reminder before it counts as silent', async () => {
  await daysUntilMailed();
  afterDays(5);
  await confirm();
  // The record is due after 30 days: a new question, less than 75 days after the one that needs no answer any more.
  expect(await daysUntilMailed()).toBeLessThan(40);
  afterDays(15);
  expect(await calls()).toEqual([]);
  expect(await daysUntilMailed()).toBeLessThan(30);
  expect(await calls()).toEqual([]);
  afterDays(15);
  expect(await calls()).toEqual(['silent']);
});

test('whoever was silent until somebody called the agency is asked, and reminded, once more', async () => {
  await confirm();
  expect(await daysUntilMailed()).toBeLessThan(70);
  afterDays(15);
  expect(await calls()).toEqual([]);
  expect(await daysUntilMailed()).toBeLessThan(30);
  afterDays(15);
  expect(await calls()).toEqual(['silent']);
});
