import { withoutPerson } from '../../events/directory/people.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import { defined } from '../../ground/defined.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import { changedBy, differ, type SealedChange } from './field-changes.ts';
import { namedIn, withErased } from './named-people.ts';
import { back, imported, refreshed, takenOut, undone } from './resource-from-source.ts';
import {
  announced,
  approved,
  revision,
  sameSource,
  submitted,
  type ByTeam,
  type Known,
  type ResourceCommand,
  type ResourceState,
} from './resource-state.ts';

export const resource: Decider<ResourceState, ResourceCommand, ResourceEvent> = {
  stream: resourceStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'ResourceSubmitted') {
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
      case 'ResourceApproved':
      case 'ResourceReactivated':
        return { ...state, status: 'approved' };
      case 'ResourceRejected':
        return { ...state, status: 'rejected' };
      case 'ResourceDeactivated':
        return { ...state, status: 'inactive', inactiveAtSource: event.data.at_source === true };
      case 'ResourceWithdrawn':
        return { ...state, status: 'inactive', inactiveAtSource: true, withdrawn: true };
      case 'ResourceResubmitted':
        return { ...state, status: 'submitted', withdrawn: false };
      case 'ResourceRevised': {
        const { fields, from_source } = event.data;
        const people = namedIn(fields, state.people);
        return { ...state, fields, people, ...(from_source ? { base: fields } : {}) };
      }
      case 'ResourceReadFromSource': {
        const { fields: base } = event.data;
        return { ...state, base, people: namedIn(state.fields, namedIn(base, state.people)) };
      }
      case 'ResourcePersonErased': {
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
      case 'submit':
        if (state) throw new CommandRefused('conflict', `${command.svc_id} is taken.`);
        return [submitted(command)];
      case 'import':
        if (!state && !command.own) return imported(command);
        if (!state || !sameSource(state, command))
          throw new CommandRefused('conflict', `${command.svc_id} is taken.`);
        return refreshed(command, state);
      case 'approve':
        return approved(known(command, state), command.note);
      case 'reject':
        return rejected(known(command, state), command.reason);
      case 'revise':
        return revised(known(command, state), command.change);
      case 'deactivate':
        return deactivated(known(command, state), command.reason);
      case 'reactivate':
        return reactivated(known(command, state));
      case 'remove-missing':
        return takenOut(known(command, state), 'No longer in its source.');
      case 'undo':
        return undone(known(command, state), command);
      case 'erase-person':
        return personErased(known(command, state), command.person);
    }
  },
};

export const noResource = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such resource in your directory.');

/** @throws CommandRefused not_found */
export function known(command: ByTeam, state: ResourceState): Known {
  if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) throw noResource();
  return state;
}

function rejected(state: Known, reason: string): ResourceEvent[] {
  switch (state.status) {
    case 'rejected':
      return [];
    case 'approved':
    case 'inactive':
      throw new CommandRefused('conflict', 'This resource was approved before; deactivate it instead.');
    case 'submitted':
      return [{ type: 'ResourceRejected', data: { ...announced(state), reason } }];
  }
}

function revised(state: Known, change: SealedChange): ResourceEvent[] {
  const fields = changedBy(state.fields, change);
  return differ(state.fields, fields) ? [revision(state, fields)] : [];
}

function deactivated(state: Known, reason: string | undefined): ResourceEvent[] {
  switch (state.status) {
    case 'inactive':
      return [];
    case 'submitted':
    case 'rejected':
      throw new CommandRefused(
        'conflict',
        `This resource is ${state.status}; only an approved one can be deactivated.`,
      );
    case 'approved':
      return [
        {
          type: 'ResourceDeactivated',
          data: { ...defined({ reason }), announced: announced(state) },
        },
      ];
  }
}

/** A record that was taken back before anybody had approved it waits for review again. */
function reactivated(state: Known): ResourceEvent[] {
  switch (state.status) {
    case 'approved':
      return [];
    case 'submitted':
    case 'rejected':
      throw new CommandRefused(
        'conflict',
        `This resource is ${state.status}; only a deactivated one can be reactivated.`,
      );
    case 'inactive':
      return back(state);
  }
}

function personErased({ people }: Known, person: string): ResourceEvent[] {
  const named = people.find((each) => each.person === person);
  if (!named) throw new CommandRefused('not_found', 'The resource has never named this person.');
  return named.standing === 'erased' ? [] : [{ type: 'ResourcePersonErased', data: { person } }];
}
