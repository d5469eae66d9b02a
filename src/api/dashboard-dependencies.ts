import type { PersonParts } from '../commands/accounts/person.ts';
import type { KeyUsageCounts } from '../audit/key-usage-counts.ts';
import type { BulkJobs } from '../imports/bulk-jobs.ts';
import type { ImportJobs } from '../imports/import-jobs.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { SignInDependencies } from './sign-in-dependencies.ts';
import type { FormCommands } from './pages/form-command.ts';
import type { FormTokens } from './pages/form-token.ts';
import type { Challenges } from '../actions/accounts/challenges.ts';
import type { RecognizedBrowsers } from './accounts/sign-in/recognized-browser.ts';
import type { Throttle } from '../actions/accounts/throttle.ts';

/** What the pages depend on. */
export interface PageDependencies extends SignInDependencies {
  readonly outbox: Outbox;
  readonly forms: FormTokens;
  readonly formCommands: FormCommands;
  readonly throttle: Throttle;
  readonly challenges: Challenges;
  readonly recognizedBrowsers: RecognizedBrowsers;
  /** The address of the API, for texts that need a whole address: BASE_URL, else where this server listens. */
  readonly address: () => string;
  /** What keys were used for since it was last written. */
  readonly keyUsage: KeyUsageCounts;
  readonly imports: ImportJobs;
  readonly bulk: BulkJobs;
}

export const personParts = ({ store, vault, personal }: PageDependencies): PersonParts => ({
  store,
  vault,
  personal,
});
