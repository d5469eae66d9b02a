import type { PersonParts } from '../commands/accounts/person.ts';
import type { MasterKey } from '../ground/master-key.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { SideStore } from '../stores/side/port.ts';

/** What people are erased with. */
export interface ErasureParts extends PersonParts {
  readonly documents: Documents;
  readonly side: SideStore;
  readonly masterKey: MasterKey;
  readonly config: {
    /** Undefined: mails wait for an administrator, and nobody is written to about what is erased. */
    readonly smtpUrl: string | undefined;
    readonly authUrl: string | undefined;
    readonly baseUrl: string | undefined;
    readonly port: number;
    /** Of the times in emails. Default: UTC. */
    readonly timeZone: string | undefined;
    readonly erasureGraceSeconds: number;
    readonly unverifiedAccountSeconds: number;
  };
}

/** What the data of a person is collected with. */
export type OwnDataParts = Omit<ErasureParts, 'config'>;

/** The address at which people manage their accounts. */
export const addressOfAccounts = ({ authUrl, baseUrl, port }: ErasureParts['config']): string =>
  authUrl ?? baseUrl ?? `http://localhost:${port}`;
