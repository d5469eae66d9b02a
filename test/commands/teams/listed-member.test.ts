import { describe, expect, it } from 'vitest';
import { listedMember } from '../../../src/commands/teams/listed-member.ts';
import { payment } from '../../../src/commands/payments.ts';
import type { ListedMemberEvent, PaymentEvent } from '../../../src/events/payments.ts';
import { given } from '../../support/decider.ts';

const member = '7d0c5a3e-6f0b-4d0c-9b54-0f9d1b6a7c01';
const user = '7d0c5a3e-6f0b-4d0c-9b54-0f9d1b6a7c02';
const details = 'c2VhbGVk';
const added: ListedMemberEvent = {
  type: 'ListedMemberAdded',
  data: { member, team: 'harbour', details, paid_until: '2026-12-31' },
};
const erased: ListedMemberEvent = { type: 'ListedMemberErased', data: {} };
const joined: ListedMemberEvent = { type: 'ListedMemberJoined', data: { user } };

describe('a member without an account', () => {
  it('is added once, and changed, erased and joined by its own team alone', () => {
    given(listedMember).when({ kind: 'add', data: added.data }).then(added);
    given(listedMember, added).when({ kind: 'add', data: added.data }).thenRefused('conflict');
    const change = { kind: 'change', data: { details }, isSame: false } as const;
    given(listedMember).when(change).thenRefused('not_found');
    given(listedMember, added).when(change).then({ type: 'ListedMemberChanged', data: { details } });
    given(listedMember, added)
      .when({ ...change, isSame: true })
      .thenNothing();
    given(listedMember, added)
      .when({ ...change, asTeam: 'library' })
      .thenRefused('not_found');
    given(listedMember, added).when({ kind: 'erase' }).then(erased);
    given(listedMember, added, erased).when({ kind: 'erase' }).thenNothing();
    given(listedMember, added, erased).when(change).thenRefused('not_found');
    given(listedMember, added).when({ kind: 'erase', asTeam: 'library' }).thenRefused('not_found');
    given(listedMember, added).when({ kind: 'join', user }).then(joined);
    given(listedMember, added, joined).when({ kind: 'join', user }).thenNothing();
    given(listedMember, added, joined).when({ kind: 'join', user: member }).thenRefused('not_found');
    given(listedMember, added, erased).when({ kind: 'join', user }).thenRefused('not_found');
  });

  it('no longer has the day that was left out of a change', () => {
    expect(
      given(listedMember, added, { type: 'ListedMemberChanged', data: { details } }).state,
    ).not.toHaveProperty('paid_until');
  });
});

describe('a payment', () => {
  const recorded: PaymentEvent = {
    type: 'PaymentRecorded',
    data: {
      payment: '7d0c5a3e-6f0b-4d0c-9b54-0f9d1b6a7c03',
      team: 'harbour',
      member,
      amount_minor: 1_250,
      currency: 'USD',
      memo: details,
      occurred_at: '2026-01-01T00:00:00.000Z',
    },
  };
  const { payment: id } = recorded.data;
  const reassigned: PaymentEvent = {
    type: 'PaymentReassigned',
    data: { payment: id, team: 'harbour', member: user, memo: 'bmV3' },
  };

  it('follows its payer into their account once, and can be reversed there', () => {
    const command = { kind: 'reassign', data: { member: user, memo: 'bmV3' } } as const;
    given(payment).when(command).thenRefused('not_found');
    given(payment, recorded).when(command).then(reassigned);
    given(payment, recorded, reassigned).when(command).thenNothing();
    given(payment, recorded, reassigned)
      .when({ kind: 'reverse' })
      .then({ type: 'PaymentReversed', data: { payment: id, team: 'harbour' } });
    expect(given(payment, recorded, reassigned).state).toMatchObject({ member: user, memo: 'bmV3' });
  });
});
