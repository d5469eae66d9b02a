import { describe, it } from 'vitest';
import { email } from '../../../src/commands/accounts/email.ts';
import type { EmailEvent } from '../../../src/events/accounts/email.ts';
import { given } from '../../support/decider.ts';

const ada = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const bob = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a12';
const one = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const two = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a12';
const claimed = (user: string, claim: string, lapses = 100): EmailEvent => ({
  type: 'EmailClaimed',
  data: { user, claim, lapses },
});
const released: EmailEvent = { type: 'EmailReleased', data: { user: ada } };
const claim = (user: string, id: string, over?: string) =>
  ({ kind: 'claim', user, claim: id, lapses: 100, over }) as const;

describe('an address', () => {
  it('is claimed by one person, who may ask again', () => {
    given(email).when(claim(ada, one)).then(claimed(ada, one));
    given(email, claimed(ada, one)).when(claim(ada, one)).thenNothing();
    given(email, claimed(ada, one)).when(claim(bob, two)).thenRefused('conflict');
    given(email, claimed(ada, one)).when(claim(ada, two)).thenRefused('conflict');
  });

  it('is claimed again once it is released, or the very claim that stands has lapsed', () => {
    given(email, claimed(ada, one), released).when(claim(bob, two)).then(claimed(bob, two));
    given(email, claimed(ada, one))
      .when(claim(bob, two, one))
      .then(claimed(bob, two));
    given(email, claimed(ada, one))
      .when(claim(bob, two, two))
      .thenRefused('conflict');
  });

  it('is released by who has it, once', () => {
    given(email, claimed(ada, one)).when({ kind: 'release', user: ada }).then(released);
    given(email, claimed(ada, one), released).when({ kind: 'release', user: ada }).thenNothing();
    given(email, claimed(bob, one)).when({ kind: 'release', user: ada }).thenNothing();
    given(email).when({ kind: 'release', user: ada }).thenNothing();
  });
});
