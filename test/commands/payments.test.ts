import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { erasePerson } from '../../src/commands/accounts/erasure.ts';
import { registerPerson, type PersonParts } from '../../src/commands/accounts/person.ts';
import { payment, recordPayment, reversePayment, type PaymentInput } from '../../src/commands/payments.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import type { PaymentEvent } from '../../src/events/payments.ts';
import { personOf, PersonalData } from '../../src/personal/personal-data.ts';
import { given } from '../support/decider.ts';
import { aClock, type Clock } from '../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

const id = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
const at = new Date('2026-03-01T12:00:00.000Z');
type Recorded = Extract<PaymentEvent, { type: 'PaymentRecorded' }>;
const data: Recorded['data'] = {
  payment: id,
  team: 'harbour',
  member: '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11',
  amount_minor: 1250,
  currency: 'USD',
  memo: 'c2VhbGVk',
  occurred_at: '2026-03-01T09:00:00.000Z',
};
const recorded: Recorded = { type: 'PaymentRecorded', data };
const reversed: PaymentEvent = { type: 'PaymentReversed', data: { payment: id, team: 'harbour' } };
const record = (rest: Partial<Recorded['data']> = {}) =>
  ({ kind: 'record', data: { ...data, ...rest }, at }) as const;

describe('a payment', () => {
  it('is recorded once', () => {
    given(payment).when(record()).then(recorded);
    given(payment, recorded).when(record()).thenRefused('conflict');
  });

  it('has occurred, a minute of difference between clocks allowed, and not before 1970', () => {
    for (const occurred_at of ['2026-03-01T12:01:00.000Z', '1970-01-01T00:00:00.000Z'])
      given(payment)
        .when(record({ occurred_at }))
        .then({ type: 'PaymentRecorded', data: { ...data, occurred_at } });
    for (const occurred_at of [
      '2026-03-01T12:01:00.001Z',
      '1969-12-31T23:59:59.999Z',
      '9999-01-01T00:00:00Z',
    ])
      given(payment).when(record({ occurred_at })).thenRefused('invalid');
  });

  it('is reversed once, by its own team or the operator', () => {
    given(payment, recorded).when({ kind: 'reverse' }).then(reversed);
    given(payment, recorded).when({ kind: 'reverse', asTeam: 'harbour' }).then(reversed);
    given(payment, recorded).when({ kind: 'reverse', asTeam: 'uphill' }).thenRefused('not_found');
    given(payment, recorded, reversed).when({ kind: 'reverse' }).thenRefused('conflict');
    given(payment).when({ kind: 'reverse' }).thenRefused('not_found');
  });
});

describe('recording', () => {
  let folder: DataFolder;
  let stores: Stores;
  let clock: Clock;
  let parts: PersonParts;
  let member: string;
  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    clock = aClock();
    parts = { store: stores.store, vault: stores.vault, personal: new PersonalData(stores.vault, clock.now) };
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, clock.command());
    const ada = { email: 'ada@example.org', profile: { name: 'Ada' } };
    member = (await registerPerson(parts, ada, clock.command())).userId;
    await joinTeam(parts, { team: 'harbour', user: member, role: 'member' }, clock.command());
  });
  afterEach(() => folder.dispose());

  const input = (rest: Partial<PaymentInput> = {}): PaymentInput => ({
    member_id: member,
    amount_minor: 1250,
    currency: 'USD',
    ...rest,
  });

  it('seals the memo for the person, and takes now for the time when none is given', async () => {
    const command = clock.command();
    const { state } = await recordPayment(parts, 'harbour', input({ memo: 'Spring dues' }), command);
    expect(state).toMatchObject({ member, occurred_at: command.at.toISOString(), reversed: false });
    expect(JSON.stringify(state)).not.toContain('Spring dues');
    const memo = () => parts.personal.open(personOf(member), state?.memo ?? '');
    expect(await memo()).toBe('Spring dues');
    await erasePerson(parts, member, clock.command());
    expect(await memo()).toBeUndefined();
  });

  it('keeps the time in UTC', async () => {
    const occurred_at = '2026-02-28T23:30:00-05:00';
    const { state } = await recordPayment(parts, 'harbour', input({ occurred_at }), clock.command());
    expect(state?.occurred_at).toBe('2026-03-01T04:30:00.000Z');
  });

  it('is for members only, and for teams that there are', async () => {
    const stranger = { email: 'ben@example.org', profile: { name: 'Ben' } };
    const { userId } = await registerPerson(parts, stranger, clock.command());
    const refused = (team: string, wish: PaymentInput) =>
      expect(recordPayment(parts, team, wish, clock.command())).rejects.toMatchObject({ code: 'not_found' });
    await refused('harbour', input({ member_id: userId }));
    await refused('nowhere', input());
    await commandTeam(stores.store, { kind: 'leave', team: 'harbour', user: member }, clock.command());
    await refused('harbour', input());
  });

  it('is one payment when the command is repeated, also after the member has left', async () => {
    const command = { ...clock.command(), requestHash: 'x' };
    const first = await recordPayment(parts, 'harbour', input(), command);
    await commandTeam(stores.store, { kind: 'leave', team: 'harbour', user: member }, clock.command());
    const again = await recordPayment(parts, 'harbour', input(), command);
    expect(again).toMatchObject({ repeated: true, state: { payment: first.state?.payment } });
    const other = { ...command, requestHash: 'y' };
    await expect(recordPayment(parts, 'harbour', input(), other)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('is reversed with an entry of its own', async () => {
    const { state } = await recordPayment(parts, 'harbour', input(), clock.command());
    const id = state?.payment ?? '';
    await reversePayment(parts, id, { asTeam: 'harbour' }, clock.command());
    const types = (await stores.store.readStream(`payment-${id}`)).map(({ type }) => type);
    expect(types).toEqual(['PaymentRecorded', 'PaymentReversed']);
  });
});
