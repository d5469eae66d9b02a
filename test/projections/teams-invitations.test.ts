import { describe, expect, it } from 'vitest';
import type { TeamEvent } from '../../src/events/teams.ts';
import { invitations } from '../../src/projections/teams-invitations.ts';
import { at, given } from '../support/fold.ts';

const invitation = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const user = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const expires_at = '2026-01-08T00:00:00.000Z';
type InvitationEvent = Parameters<typeof invitations.fold>[1];
type Plain<Event> = Event extends { type: infer Type; data: infer Data } ? { type: Type; data: Data } : never;

const told = (...events: Extract<Plain<InvitationEvent>, TeamEvent>[]) =>
  given(invitations, ...events.map((event) => ['team-harbour', event] as const));
const invited = {
  type: 'MemberInvited',
  data: {
    team: 'harbour',
    invitation,
    role: 'admin',
    email: 'e'.repeat(64),
    email_sealed: 'sealed',
    expires_at,
  },
} as const;
const joined = { team: 'harbour', user, role: 'admin', person: 'sealed' } as const;
const rest = { team: 'harbour', invitation, role: 'admin', invited_at: at(0), expires_at };

describe('the read model of invitations', () => {
  it('shows an open one with its sealed address', () => {
    expect([...told(invited).values()]).toEqual([{ ...rest, status: 'open', email_sealed: 'sealed' }]);
  });

  it.each([
    [{ type: 'MemberJoined', data: { ...joined, invitation } }, 'used'],
    [
      { type: 'InvitationWithdrawn', data: { team: 'harbour', invitation, reason: 'withdrawn' } },
      'withdrawn',
    ],
    [{ type: 'InvitationWithdrawn', data: { team: 'harbour', invitation, reason: 'replaced' } }, 'replaced'],
    [{ type: 'InvitationWithdrawn', data: { team: 'harbour', invitation, reason: 'joined' } }, 'joined'],
    [{ type: 'InvitationExpired', data: { team: 'harbour', invitation } }, 'expired'],
  ] as const)('after %o shows it without address, as %s', (event, status) => {
    expect([...told(invited, event).values()]).toEqual([{ ...rest, status }]);
  });

  it('has nothing about who joined without one', () => {
    expect(told({ type: 'MemberJoined', data: joined }).size).toBe(0);
  });
});
