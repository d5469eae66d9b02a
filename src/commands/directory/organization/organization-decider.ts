import { withoutPerson } from '../../../events/directory/people.ts';
import {
  organizationStream,
  type OrganizationEvent,
} from '../../../events/directory/organization/organization.ts';
import { defined } from '../../../ground/defined.ts';
import type { Decider } from '../../command-handler.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { namedIn, withErased } from '../named-people.ts';
import { changedOrganization, organizationsDiffer } from './organization-changes.ts';
import {
  broughtBack,
  importedOrganization,
  isOfSource,
  refreshedOrganization,
  undoneOrganization,
} from './organization-from-source.ts';
import type {
  ByTeam,
  KnownOrganization,
  OrganizationCommand,
  OrganizationState,
} from './organization-state.ts';
import { changesStatus } from '../review-decisions.ts';

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
      case 'import':
        if (!state && !command.own) return importedOrganization(command);
        if (!state || !isOfSource(state, command))
          throw new CommandRefused('conflict', `${command.org_id} is taken.`);
        return command.own && state.source ? [] : refreshedOrganization(command, state);
      case 'undo':
        return undoneOrganization(knownOrganization(command, state), command);
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

export const noOrganization = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such organization in your directory.');

/** @throws CommandRefused not_found */
export function knownOrganization(command: ByTeam, state: OrganizationState): KnownOrganization {
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
