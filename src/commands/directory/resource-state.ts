import { shownName } from '../../events/directory/shown-name.ts';
import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import type { ResourceEvent, ResourceSource } from '../../events/directory/resource.ts';
import { defined } from '../../ground/defined.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { SealedChange } from './field-changes.ts';
import type { NamedPerson } from './named-people.ts';
import type { Undo } from './undoing.ts';

export type ResourceStatus = 'submitted' | 'approved' | 'rejected' | 'inactive';

export type ResourceState =
  | {
      readonly status: ResourceStatus;
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly source?: ResourceSource | undefined;
      /** Taken out because its source did so, or its import was undone: not by a reviewer. */
      readonly inactiveAtSource?: boolean;
      /** It was taken back before anybody had approved it. */
      readonly withdrawn?: boolean;
      readonly fields: ResourceFields;
      /** What its source said of it last. Absent for a record that came from no source. */
      readonly base?: ResourceFields;
      /** Everybody it has ever named. */
      readonly people: readonly NamedPerson[];
    }
  | undefined;

/** `asTeam`: the command may touch this team's resources only. Resources of other teams count as not found. */
export interface ByTeam {
  readonly asTeam?: string;
}

export type ResourceCommand =
  | {
      readonly kind: 'submit';
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly fields: ResourceFields;
    }
  | {
      readonly kind: 'import';
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly source: ResourceSource;
      /** What the source says. What it says of persons is sealed as in `fields` or `base` where it says the same. */
      readonly fields: ResourceFields;
      readonly active: boolean;
      readonly approve: boolean;
      /** The fields of which what the source says is taken although a person has changed them. Default: none. */
      readonly take?: 'all' | readonly string[] | undefined;
      /** It is in an export of this directory, and came from no source: it is revised, never made. */
      readonly own?: true;
    }
  | ({ readonly kind: 'approve'; readonly note?: string } & ByTeam)
  | ({ readonly kind: 'reject'; readonly reason: string } & ByTeam)
  | ({ readonly kind: 'revise'; readonly change: SealedChange } & ByTeam)
  | ({ readonly kind: 'erase-person'; readonly person: string } & ByTeam)
  | ({ readonly kind: 'deactivate'; readonly reason?: string } & ByTeam)
  | ({ readonly kind: 'reactivate' } & ByTeam)
  /** Its source no longer has it. */
  | ({ readonly kind: 'remove-missing' } & ByTeam)
  | ({ readonly kind: 'undo' } & Undo<ResourceFields> & ByTeam);

/** A resource that there is. */
export type Known = NonNullable<ResourceState>;
export type Import = Extract<ResourceCommand, { kind: 'import' }>;

export function submitted({
  svc_id,
  id,
  team,
  fields,
  ...rest
}: Extract<ResourceCommand, { fields: unknown }>): ResourceEvent {
  const source = 'source' in rest ? { source: rest.source } : {};
  return { type: 'ResourceSubmitted', data: { svc_id, id, team, ...source, fields } };
}

/** The events that make it public for the first time. */
export function approved(state: Known, note: string | undefined): ResourceEvent[] {
  switch (state.status) {
    case 'approved':
      return [];
    case 'inactive':
      throw new CommandRefused(
        'conflict',
        'This resource was approved and then deactivated; reactivate it instead.',
      );
    case 'submitted':
    case 'rejected':
      return [{ type: 'ResourceApproved', data: { ...announced(state), ...defined({ note }) } }];
  }
}

/** Subscribers are notified of changes of public records only. */
export const revision = (state: Known, fields: ResourceFields, fromSource = false): ResourceEvent => ({
  type: 'ResourceRevised',
  data: {
    fields,
    ...(fromSource ? { from_source: true } : {}),
    ...(state.status === 'approved' ? { announced: announced({ ...state, fields }) } : {}),
  },
});

/** What subscribers are told about it. */
export function announced({ svc_id, id, team, fields }: Omit<Known, 'people'>) {
  return { svc_id, id, team, name: shownName(fields), category: fields.category };
}

/** Whether a resource is the record of a source, or the one of this directory that an export has. */
export function sameSource(
  state: Known,
  record: { readonly team: string; readonly source: ResourceSource; readonly own?: true },
): boolean {
  if (state.team !== record.team) return false;
  if (record.own) return state.source === undefined;
  return state.source?.system === record.source.system && state.source.id === record.source.id;
}
