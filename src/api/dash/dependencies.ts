import type { PersonParts } from '../../commands/person.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { SignInDependencies } from '../oauth/dependencies.ts';
import type { FormTokens } from './form-token.ts';
import type { Challenges } from './passkey-challenge.ts';
import type { KnownBrowsers } from './known-browser.ts';
import type { Throttle } from './throttle.ts';

/** What the pages are given. */
export interface Dash extends SignInDependencies {
  readonly outbox: Outbox;
  readonly forms: FormTokens;
  readonly throttle: Throttle;
  readonly challenges: Challenges;
  readonly known: KnownBrowsers;
}

export const personParts = ({ store, vault, personal }: Dash): PersonParts => ({ store, vault, personal });
