import type { PersonParts } from '../commands/accounts/person.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { SignInDependencies } from './sign-in-dependencies.ts';
import type { FormCommands } from './pages/form-command.ts';
import type { FormTokens } from './pages/form-token.ts';
import type { Challenges } from './accounts/passkeys/passkey-challenge.ts';
import type { KnownBrowsers } from './accounts/sign-in/known-browser.ts';
import type { Throttle } from './accounts/sign-in/throttle.ts';

/** What the pages depend on. */
export interface PageDependencies extends SignInDependencies {
  readonly outbox: Outbox;
  readonly forms: FormTokens;
  readonly formCommands: FormCommands;
  readonly throttle: Throttle;
  readonly challenges: Challenges;
  readonly known: KnownBrowsers;
}

export const personParts = ({ store, vault, personal }: PageDependencies): PersonParts => ({
  store,
  vault,
  personal,
});
