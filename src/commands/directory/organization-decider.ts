import { withoutPerson } from '../../events/directory/people.ts';
import {
  organizationStream,
  type OrganizationEvent,
  type OrganizationFields,
} from '../../events/directory/organization/organization.ts';
import type { ResourceSource } from '../../events/directory/resource.ts';
import { defined } from '../../ground/defined.ts';
import type { Decider } from '../command-handler.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { namedIn, withErased, type NamedPerson } from './named-people.ts';
import {
  changedOrganization,
  organizationsDiffer,
  type SealedOrganizationChange,
} from './organization-changes.ts';
import { changesStatus, type ReviewStatus } from './review-decisions.ts';

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
  | ({ readonly kind: 'approve'; readonly note?: string } & ByTeam)
  /** Approves it if it waits for review. */
  | ({ readonly kind: 'approve-waiting' } & ByTeam)
  | ({ readonly kind: 'reject'; readonly reason: string } & ByTeam)
  | ({ readonly kind: 'revise'; readonly change: SealedOrganizationChange } & ByTeam)
  | ({ readonly kind: 'erase-person'; readonly person: string } & ByTeam)
  | ({ readonly kind: 'deactivate'; readonly reason?: string } & ByTeam)
  | ({ readonly kind: 'reactivate' } & ByTeam);

export const organization: Decider<OrganizationState, OrganizationCommand, OrganizationEvent> = {
  stream: organizationStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'OrganizationSubmitted') {
      const { source, fields } = event.data;
      return {
        status: 'submitted',
        ...event.data,
        ...(source ? { base: fields } : {}),
        people: namedIn(fields),
      };
    }
    if (!state) return state;
    switch (event.type) {
      case 'OrganizationApproved':
      case 'OrganizationReactivated':
        return { ...state, status: 'approved' };
      case 'OrganizationRejected':
        return { ...state, status: 'rejected' };
      case 'OrganizationDeactivated':
        return { ...state, status: 'inactive', inactiveAtSource: event.data.at_source === true };
      case 'OrganizationWithdrawn':
        return { ...state, status: 'inactive', inactiveAtSource: true, withdrawn: true };
      case 'OrganizationResubmitted':
        return { ...state, status: 'submitted', withdrawn: false };
      case 'OrganizationRevised': {
        const { fields, from_source } = event.data;
        const people = namedIn(fields, state.people);
        return { ...state, fields, people, ...(from_source ? { base: fields } : {}) };
      }
      case 'OrganizationReadFromSource': {
        const { fields: base } = event.data;
        return { ...state, base, people: namedIn(state.fields, namedIn(base, state.people)) };
      }
      case 'OrganizationPersonErased': {
        const { person } = event.data;
        return {
          ...state,
          fields: withoutPerson(state.fields, person),
          ...(state.base ? { base: withoutPerson(state.base, person) } : {}),
          people: withErased(state.people, person),
        };
      }
    }
  },
  decide(command, state) {
    switch (command.kind) {
      case 'submit': {
        const { kind: _, ...data } = command;
        if (state) throw new CommandRefused('conflict', `${command.org_id} is taken.`);
        return [{ type: 'OrganizationSubmitted', data }];
      }
      case 'approve':
        return decided('approve', command, state, (name) => [
          { type: 'OrganizationApproved', data: { name, ...defined({ note: command.note }) } },
        ]);
      case 'approve-waiting': {
        const { status, fields } = knownOrganization(command, state);
        return status === 'submitted' ? [{ type: 'OrganizationApproved', data: { name: fields.name } }] : [];
      }
      case 'reject':
        return decided('reject', command, state, (name) => [
          { type: 'OrganizationRejected', data: { name, reason: command.reason } },
        ]);
      case 'deactivate':
        return decided('deactivate', command, state, (name) => [
          { type: 'OrganizationDeactivated', data: { name, ...defined({ reason: command.reason }) } },
        ]);
      case 'reactivate':
        return decided('reactivate', command, state, (name) => [broughtBack(name, state?.withdrawn)]);
      case 'revise': {
        const known = knownOrganization(command, state);
        const fields = changedOrganization(known.fields, command.change);
        return organizationsDiffer(known.fields, fields)
          ? [{ type: 'OrganizationRevised', data: { fields } }]
          : [];
      }
      case 'erase-person': {
        const named = knownOrganization(command, state).people.find(
          ({ person }) => person === command.person,
        );
        if (!named) throw new CommandRefused('not_found', 'The organization has never named this person.');
        return named.standing === 'erased'
          ? []
          : [{ type: 'OrganizationPersonErased', data: { person: command.person } }];
      }
    }
  },
};

type Known = NonNullable<OrganizationState>;

export const noOrganization = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such organization in your directory.');

/** @throws CommandRefused not_found */
export function knownOrganization(command: ByTeam, state: OrganizationState): Known {
  if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) throw noOrganization();
  return state;
}

function decided(
  decision: 'approve' | 'reject' | 'deactivate' | 'reactivate',
  command: ByTeam,
  state: OrganizationState,
  events: (name: string) => OrganizationEvent[],
): OrganizationEvent[] {
  const { status, fields } = knownOrganization(command, state);
  return changesStatus(decision, status, 'organization') ? events(fields.name) : [];
}

/** One that nobody had approved when it was taken back waits for review again. */
const broughtBack = (name: string, withdrawn = false): OrganizationEvent => ({
  type: withdrawn ? 'OrganizationResubmitted' : 'OrganizationReactivated',
  data: { name },
});
