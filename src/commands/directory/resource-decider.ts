import { withoutPerson } from '../../events/directory/people.ts';
import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import { resourceStream, type ResourceEvent, type ResourceSource } from '../../events/directory/resource.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { shownName } from '../../events/directory/shown-name.ts';
import { defined } from '../../ground/defined.ts';
import type { Decider } from '../command-handler.ts';
import { changedBy, differ, type SealedChange } from './field-changes.ts';
import { namedIn, withErased, type NamedPerson } from './named-people.ts';

export type ResourceStatus = 'submitted' | 'approved' | 'rejected' | 'inactive';

export type ResourceState =
  | {
      readonly status: ResourceStatus;
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly source?: ResourceSource | undefined;
      /** Deactivated because its source deactivated it, not by a reviewer. */
      readonly inactiveAtSource?: boolean;
      readonly fields: ResourceFields;
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
      readonly fields: ResourceFields;
      readonly active: boolean;
      readonly approve: boolean;
      /** It is in an export of this directory, and came from no source: it is revised, never made. */
      readonly own?: true;
    }
  | ({ readonly kind: 'approve'; readonly note?: string } & ByTeam)
  | ({ readonly kind: 'reject'; readonly reason: string } & ByTeam)
  | ({ readonly kind: 'revise'; readonly change: SealedChange } & ByTeam)
  | ({ readonly kind: 'erase-person'; readonly person: string } & ByTeam)
  | ({ readonly kind: 'deactivate'; readonly reason?: string } & ByTeam)
  | ({ readonly kind: 'reactivate' } & ByTeam);

export const resource: Decider<ResourceState, ResourceCommand, ResourceEvent> = {
  stream: resourceStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'ResourceSubmitted') {
      return { status: 'submitted', ...event.data, people: namedIn(event.data.fields) };
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
      case 'ResourceRevised':
        return { ...state, fields: event.data.fields, people: namedIn(event.data.fields, state.people) };
      case 'ResourcePersonErased': {
        const { person } = event.data;
        return {
          ...state,
          fields: withoutPerson(state.fields, person),
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
      case 'erase-person':
        return personErased(known(command, state), command.person);
    }
  },
};

type Known = NonNullable<ResourceState>;
export type Import = Extract<ResourceCommand, { kind: 'import' }>;

export const noResource = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such resource in your directory.');

/** @throws CommandRefused not_found */
export function known(command: ByTeam, state: ResourceState): Known {
  if (!state || (command.asTeam !== undefined && command.asTeam !== state.team)) throw noResource();
  return state;
}

function submitted({
  svc_id,
  id,
  team,
  fields,
  ...rest
}: Extract<ResourceCommand, { fields: unknown }>): ResourceEvent {
  const source = 'source' in rest ? { source: rest.source } : {};
  return { type: 'ResourceSubmitted', data: { svc_id, id, team, ...source, fields } };
}

function imported(command: Import): ResourceEvent[] {
  const submission = submitted(command);
  if (!command.approve || !command.active) return [submission];
  return [submission, ...approved({ ...command, status: 'submitted', people: [] }, undefined)];
}

function refreshed(command: Import, state: Known): ResourceEvent[] {
  const events: ResourceEvent[] = [];
  const now = { ...state, fields: command.fields };
  if (differ(state.fields, command.fields)) {
    events.push(revision(state, command.fields));
  }
  if (!command.active && state.status === 'approved') {
    const reason = 'No longer active at its source.';
    events.push({
      type: 'ResourceDeactivated',
      data: { reason, at_source: true, announced: announced(now) },
    });
  }
  if (command.active && state.status === 'inactive' && state.inactiveAtSource) {
    events.push({ type: 'ResourceReactivated', data: { announced: announced(now) } });
  }
  // A reviewer's rejection stays, however often the source offers the record again.
  if (command.active && command.approve && state.status === 'submitted')
    events.push(...approved(now, undefined));
  return events;
}

function approved(state: Known, note: string | undefined): ResourceEvent[] {
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

/** Subscribers are notified of changes of public records only. */
const revision = (state: Known, fields: ResourceFields): ResourceEvent => ({
  type: 'ResourceRevised',
  data: {
    fields,
    ...(state.status === 'approved' ? { announced: announced({ ...state, fields }) } : {}),
  },
});

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
      return [{ type: 'ResourceReactivated', data: { announced: announced(state) } }];
  }
}

function personErased({ people }: Known, person: string): ResourceEvent[] {
  const named = people.find((each) => each.person === person);
  if (!named) throw new CommandRefused('not_found', 'The resource has never named this person.');
  return named.standing === 'erased' ? [] : [{ type: 'ResourcePersonErased', data: { person } }];
}

function announced({ svc_id, id, team, fields }: Omit<Known, 'people'>) {
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
