import type { OrganizationFields } from '../../../events/directory/organization/organization.ts';
import type { ReviewCommand } from '../review-decisions.ts';
import type { FromSource } from '../reviewed-from-source.ts';
import type { ByTeam, ReviewedState } from '../reviewed-state.ts';
import type { SealedOrganizationChange } from './organization-changes.ts';

/** An organization that there is. */
export interface KnownOrganization extends ReviewedState<OrganizationFields> {
  readonly org_id: string;
}

export type OrganizationState = KnownOrganization | undefined;

/** An organization that a source brings. */
export interface OrganizationImport extends FromSource<OrganizationFields> {
  readonly kind: 'import';
  readonly org_id: string;
  /** It is in an export of this directory: what came from no source is revised, what came from one stays. */
  readonly own?: true;
}

export type OrganizationCommand =
  | {
      readonly kind: 'submit';
      readonly org_id: string;
      readonly team: string;
      readonly fields: OrganizationFields;
    }
  | OrganizationImport
  /** Approves it if it waits for review. */
  | ({ readonly kind: 'approve-waiting' } & ByTeam)
  | ReviewCommand<OrganizationFields, SealedOrganizationChange>;
