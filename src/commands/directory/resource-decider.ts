import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import { shownName } from '../../events/directory/shown-name.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import { changedBy, differ, type SealedChange } from './field-changes.ts';
import { decided, type ReviewCommand } from './review-decisions.ts';
import { isOfSource, refreshed, type FromSource } from './reviewed-from-source.ts';
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

/** A resource that there is. */
export interface Known extends ReviewedState<ResourceFields> {
  readonly svc_id: string;
  readonly id: number;
}

export type ResourceState = Known | undefined;

/** A record that a source brings. */
export interface Import extends FromSource<ResourceFields> {
  readonly kind: 'import';
  readonly svc_id: string;
  readonly id: number;
  readonly active: boolean;
  /** It is in an export of this directory, and came from no source: it is revised, never made. */
  readonly own?: true;
}

export type ResourceCommand =
  | {
      readonly kind: 'submit';
      readonly svc_id: string;
      readonly id: number;
      readonly team: string;
      readonly fields: ResourceFields;
    }
  | Import
  | ReviewCommand<ResourceFields, SealedChange>;

export const resourceKind: ReviewedKind<ResourceFields, SealedChange> = {
  noun: 'resource',
  changed: changedBy,
  differ,
  together: [
    ['category', 'categories'],
    ['hours', 'opening_hours', 'time_zone', 'utc_offsets'],
  ],
};

export const resource: Decider<ResourceState, ResourceCommand, ResourceEvent> = {
  stream: resourceStream,
  initial: undefined,
  evolve: (state, event) =>
    event.type === 'ResourceSubmitted'
      ? begun(event.data)
      : state && evolved(state, stepOf('Resource', event)),
  decide(command, state) {
    if (command.kind !== 'submit' && command.kind !== 'import') {
      const existing = known(command, state);
      return eventsOf(existing, decided(resourceKind, command, existing), eventOf);
    }
    if (command.kind === 'import' && state && isRecordOf(state, command))
      return eventsOf(state, refreshed(resourceKind, command, state), eventOf);
    if (state || (command.kind === 'import' && command.own))
      throw new CommandRefused('conflict', `${command.svc_id} is taken.`);
    return submitted(command);
  },
};

export const noResource = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such record in your directory.');

/** @throws CommandRefused not_found */
export const known = (by: ByTeam, state: ResourceState): Known => requireState(by, state, noResource);

/** Whether a resource is the record of a source, or the one of this directory that an export has. */
export const isRecordOf = (state: Known, record: Pick<Import, 'team' | 'source' | 'own'>): boolean =>
  record.own ? state.team === record.team && state.source === undefined : isOfSource(state, record);

/** The first events of a record. */
function submitted(command: Extract<ResourceCommand, { kind: 'submit' | 'import' }>): ResourceEvent[] {
  const { svc_id, id, team, fields } = command;
  const source = command.kind === 'import' ? { source: command.source } : {};
  const data = { svc_id, id, team, ...source, fields };
  const approves = command.kind === 'import' && command.approve && command.active;
  const steps: Step<ResourceFields>[] = approves ? [{ type: 'Approved', data: {} }] : [];
  return [{ type: 'ResourceSubmitted', data }, ...eventsOf(begun(data), steps, eventOf)];
}

/** Subscribers are notified of changes of public records only. */
function eventOf(state: Known, step: Step<ResourceFields>): ResourceEvent {
  switch (step.type) {
    case 'Approved':
      return { type: 'ResourceApproved', data: { ...announced(state), ...step.data } };
    case 'Rejected':
      return { type: 'ResourceRejected', data: { ...announced(state), ...step.data } };
    case 'Deactivated':
      return { type: 'ResourceDeactivated', data: { ...step.data, announced: announced(state) } };
    case 'Reactivated':
      return { type: 'ResourceReactivated', data: { ...step.data, announced: announced(state) } };
    case 'Revised': {
      const revised = { ...state, fields: step.data.fields };
      const notice = state.status === 'approved' ? { announced: announced(revised) } : {};
      return { type: 'ResourceRevised', data: { ...step.data, ...notice } };
    }
    case 'ReadFromSource':
      return { type: 'ResourceReadFromSource', data: step.data };
    case 'PersonErased':
      return { type: 'ResourcePersonErased', data: step.data };
    case 'Withdrawn':
      return { type: 'ResourceWithdrawn', data: step.data };
    case 'Resubmitted':
      return { type: 'ResourceResubmitted', data: {} };
  }
}

/** What subscribers are told about it. */
const announced = ({ svc_id, id, team, fields }: Known) => ({
  svc_id,
  id,
  team,
  name: shownName(fields),
  category: fields.category,
});
