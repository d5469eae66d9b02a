import { describe, it } from 'vitest';
import { user } from '../../../src/commands/accounts/user.ts';
import type { UserEvent } from '../../../src/events/accounts/user.ts';
import { given } from '../../support/decider.ts';

const id = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const claim = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const [hold, second] = ['5f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11', '6f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11'];
const email = '0'.repeat(64);
const data = { user: id, role: 'person', email, claim, email_sealed: 'xx', profile: 'yy' } as const;
const registered: UserEvent = { type: 'UserRegistered', data };
const verified: UserEvent = { type: 'UserEmailVerified', data: { email } };
const due_at = '2026-03-08T00:00:00.000Z';
const [before, after] = [new Date('2026-03-07T23:59:59.999Z'), new Date(due_at)];
const requested: UserEvent = { type: 'ErasureRequested', data: { due_at } };
const withdrawn: UserEvent = { type: 'ErasureWithdrawn', data: {} };
const placed = (of = hold): UserEvent => ({ type: 'LegalHoldPlaced', data: { hold: of, reason: 'zz' } });
const lifted = (of = hold): UserEvent => ({ type: 'LegalHoldLifted', data: { hold: of } });
const erased: UserEvent = { type: 'UserErased', data: { email } };

describe('a request to erase an account', () => {
  it('counts once, and can be withdrawn and made again', () => {
    given(user, registered).when({ kind: 'request-erasure', dueAt: due_at }).then(requested);
    given(user, registered, requested)
      .when({ kind: 'request-erasure', dueAt: '2030-01-01T00:00:00.000Z' })
      .then();
    given(user, registered, requested).when({ kind: 'withdraw-erasure' }).then(withdrawn);
    given(user, registered).when({ kind: 'withdraw-erasure' }).then();
    given(user, registered, requested, withdrawn)
      .when({ kind: 'request-erasure', dueAt: due_at })
      .then(requested);
  });

  it('takes effect when it is due, not earlier, and not when it was withdrawn', () => {
    const when = (at: Date) => ({ kind: 'erase', onlyIf: 'due', at }) as const;
    given(user, registered, requested).when(when(before)).then();
    given(user, registered, requested).when(when(after)).then(erased);
    given(user, registered, requested, withdrawn).when(when(after)).then();
    given(user, registered).when(when(after)).then();
  });

  it('of nobody, or of an erased person, is refused', () => {
    for (const kind of ['withdraw-erasure', 'record-export'] as const) {
      given(user).when({ kind }).thenRefused('not_found');
      given(user, registered, erased).when({ kind }).thenRefused('not_found');
    }
    given(user, registered, erased).when({ kind: 'request-erasure', dueAt: due_at }).thenRefused('not_found');
  });
});

describe('a legal hold', () => {
  it('prevents every erasure until the last one is lifted, and no request', () => {
    const due = { kind: 'erase', onlyIf: 'due', at: after } as const;
    given(user, registered, placed()).when({ kind: 'erase' }).thenRefused('conflict');
    given(user, registered, placed()).when({ kind: 'erase', onlyIf: 'unverified' }).then();
    given(user, registered, requested, placed()).when(due).then();
    given(user, registered, placed()).when({ kind: 'request-erasure', dueAt: due_at }).then(requested);
    given(user, registered, requested, placed(), placed(second), lifted()).when(due).then();
    given(user, registered, requested, placed(), placed(second), lifted(), lifted(second))
      .when(due)
      .then(erased);
  });

  it('is placed once and lifted once', () => {
    given(user, registered).when({ kind: 'place-hold', hold, reason: 'zz' }).then(placed());
    given(user, registered, placed()).when({ kind: 'place-hold', hold, reason: 'zz' }).then();
    given(user, registered, placed()).when({ kind: 'lift-hold', hold }).then(lifted());
    given(user, registered, placed()).when({ kind: 'lift-hold', hold: second }).thenRefused('not_found');
    given(user, registered, erased).when({ kind: 'place-hold', hold, reason: 'zz' }).thenRefused('not_found');
  });

  it('bounds how many there are', () => {
    const many = Array.from({ length: 100 }, (_, n) => placed(n.toString().padStart(36, '0')));
    given(user, registered, ...many)
      .when({ kind: 'place-hold', hold, reason: 'zz' })
      .thenRefused('invalid');
  });

  it('of an older backup does not bring an erased person back', () => {
    given(user, registered, placed()).when({ kind: 'erase', again: true }).then(erased);
  });
});

describe('an account that was never verified', () => {
  const unverified = { kind: 'erase', onlyIf: 'unverified' } as const;
  it('is erased, but no verified one, and none with a role', () => {
    given(user, registered).when(unverified).then(erased);
    given(user, registered, verified).when(unverified).then();
    const moved = { email: '1'.repeat(64), claim, email_sealed: 'xx' };
    given(user, registered, verified, { type: 'UserEmailChanged', data: moved }).when(unverified).then();
    given(user, registered, { type: 'UserRoleChanged', data: { role: 'administrator' } })
      .when(unverified)
      .then();
  });
});
