import type { OrganizationFields } from '../../../events/directory/organization/organization.ts';
import type { ResourceSource } from '../../../events/directory/resource.ts';
import type { NamedPerson } from '../named-people.ts';
import type { SealedOrganizationChange } from './organization-changes.ts';
import type { ReviewStatus } from '../review-decisions.ts';
import type { Undo } from '../undoing.ts';

export type OrganizationState =
  | {
      readonly status: ReviewStatus;
      readonly org_id: string;
      readonly team: string;
      readonly source?: ResourceSource | undefined;
      /** Taken out because its source did so, or its import was undone: not by a reviewer. */
      readonly inactiveAtSource?: boolean;
      /** It was taken back before anybody had approved it. */
      readonly withdrawn?: boolean;
      readonly fields: OrganizationFields;
      /** What its source said of it last. Absent for one that came from no source. */
      readonly base?: OrganizationFields;
      /** Everybody it has ever named. */
      readonly people: readonly NamedPerson[];
    }
  | undefined;

/** `asTeam`: the command may touch this team's organizations only. Those of other teams count as not found. */
export interface ByTeam {
  readonly asTeam?: string;
}

export type OrganizationCommand =
  | {
      readonly kind: 'submit';
      readonly org_id: string;
      readonly team: string;
      readonly fields: OrganizationFields;
    }
  | {
      readonly kind: 'import';
      readonly org_id: string;
      readonly team: string;
      readonly source: ResourceSource;
      /** What the source says. What it says of persons is sealed as in `fields` or `base` where it says the same. */
      readonly fields: OrganizationFields;
      readonly approve: boolean;
      /** The fields of which what the source says is taken although a person has changed them. Default: none. */
      readonly take?: 'all' | readonly string[] | undefined;
      /** It is in an export of this directory: what came from no source is revised, what came from one stays. */
      readonly own?: true;
    }
  | ({ readonly kind: 'approve'; readonly note?: string } & ByTeam)
  /** Approves it if it waits for review. */
  | ({ readonly kind: 'approve-waiting' } & ByTeam)
  | ({ readonly kind: 'reject'; readonly reason: string } & ByTeam)
  | ({ readonly kind: 'revise'; readonly change: SealedOrganizationChange } & ByTeam)
  | ({ readonly kind: 'erase-person'; readonly person: string } & ByTeam)
  | ({ readonly kind: 'deactivate'; readonly reason?: string } & ByTeam)
  | ({ readonly kind: 'reactivate' } & ByTeam)
  | ({ readonly kind: 'undo' } & Undo<OrganizationFields> & ByTeam);

/** An organization that there is. */
export type KnownOrganization = NonNullable<OrganizationState>;
export type OrganizationImport = Extract<OrganizationCommand, { kind: 'import' }>;
