import type { PersonParts } from '../commands/accounts/person.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { MasterKey } from '../ground/master-key.ts';

/** What the data of a person is collected with. */
export interface OwnDataParts extends PersonParts {
  readonly documents: Documents;
  readonly side: SideStore;
  readonly masterKey: MasterKey;
}
