import {
  organizationStream,
  type OrganizationEvent,
  type OrganizationFields,
} from '../../events/directory/organization.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import { decided, type ReviewCommand } from './review-decisions.ts';
import { approval, isOfSource, refreshed, type FromSource } from './reviewed-from-source.ts';
import {
  begun,
  eventsOf,
  evolved,
  requireState,
  stepOf,
  type ByTeam,
  type ReviewedKind,
  type Step,
  type ReviewedState,
} from './reviewed-state.ts';
import {
  changedOrganization,
  organizationsDiffer,
  type SealedOrganizationChange,
} from './organization-changes.ts';

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

export const organizationKind: ReviewedKind<OrganizationFields, SealedOrganizationChange> = {
  noun: 'organization',
  changed: changedOrganization,
  differ: organizationsDiffer,
};

export const organization: Decider<OrganizationState, OrganizationCommand, OrganizationEvent> = {
  stream: organizationStream,
  initial: undefined,
  evolve: (state, event) =>
    event.type === 'OrganizationSubmitted'
      ? begun(event.data)
      : state && evolved(state, stepOf('Organization', event)),
  decide(command, state) {
    if (command.kind === 'submit' || command.kind === 'import') return brought(command, state);
    const existing = knownOrganization(command, state);
    if (command.kind !== 'approve-waiting')
      return eventsOf(existing, decided(organizationKind, command, existing), eventOf);
    return existing.status === 'submitted' ? [eventOf(existing, approval(existing))] : [];
  },
};

export const noOrganization = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such organization in your directory.');

/** @throws CommandRefused not_found */
export const knownOrganization = (by: ByTeam, state: OrganizationState): KnownOrganization =>
  requireState(by, state, noOrganization);

/** Whether an organization is that of a source, or the one of this directory that an export has. */
export const isOrganizationOf = (
  state: KnownOrganization,
  of: Pick<OrganizationImport, 'team' | 'source' | 'own'>,
): boolean => (of.own ? state.team === of.team : isOfSource(state, of));

function brought(
  command: Extract<OrganizationCommand, { kind: 'submit' | 'import' }>,
  state: OrganizationState,
): OrganizationEvent[] {
  const { kind, org_id, team, fields } = command;
  const isImport = kind === 'import';
  if (isImport && state && isOrganizationOf(state, command)) {
    const stays = command.own && state.source !== undefined;
    return stays ? [] : eventsOf(state, refreshed(organizationKind, command, state), eventOf);
  }
  if (state || (isImport && command.own)) throw new CommandRefused('conflict', `${org_id} is taken.`);
  const data = { org_id, team, ...(isImport ? { source: command.source } : {}), fields };
  const steps = isImport && command.approve ? [approval({})] : [];
  return [{ type: 'OrganizationSubmitted', data }, ...eventsOf(begun(data), steps, eventOf)];
}

/** What says something of its fields or a person is the step alone; what is decided about it says its name at that time. */
const eventOf = ({ fields: { name } }: KnownOrganization, { type, data }: Step<OrganizationFields>) =>
  ({
    type: `Organization${type}`,
    data: 'fields' in data || 'person' in data ? data : { name, ...data },
  }) as OrganizationEvent;
