import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import type { SourceConfirmed } from '../../events/directory/upkeep/aging-parts.ts';
import { shownName } from '../../events/directory/shown-name.ts';
import { defined } from '../../ground/defined.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import { changedBy, differ, type SealedChange } from './field-changes.ts';
import { isOfMerge, type MergeCommand } from './merge-command.ts';
import { alreadyMerged } from '../directory-merges.ts';
import {
  confirmationLapsed,
  confirmed,
  type ConfirmCommand,
  type LapseCommand,
} from './upkeep/confirmations.ts';
import {
  changedBySource,
  confirmedAfter,
  confirmedByChange,
  sourceConfirmedBy,
  withSourceConfirmed,
  type ConfirmedState,
} from './upkeep/confirmed-parts.ts';
import { decided, type ReviewCommand } from './review-decisions.ts';
import { isOfSource, readFromSource, refreshed, type FromSource } from './reviewed-from-source.ts';
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
export interface ExistingResource extends ReviewedState<ResourceFields>, ConfirmedState {
  readonly svc_id: string;
  readonly id: number;
  /** It was a duplicate of another record, which has its place. */
  readonly mergedInto?: { readonly survivor: string; readonly merge: string } | undefined;
  /** The date of the confirmation of which was noted that it is too long ago. */
  readonly lapsedOn?: string;
  /** Its duplicates, by the merges that were not undone. */
  readonly absorbed?: ReadonlyMap<string, string>;
}

export type ResourceState = ExistingResource | undefined;

/** A record that a source brings. */
export interface Import extends FromSource<ResourceFields> {
  readonly kind: 'import';
  readonly svc_id: string;
  readonly id: number;
  readonly active: boolean;
  /** The parts that were confirmed there by themselves. Default: none. */
  readonly sourceConfirmed?: SourceConfirmed | undefined;
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
  | MergeCommand
  /** By whoever submitted it, before it is public. */
  | ({ readonly kind: 'send-again'; readonly change: SealedChange } & ByTeam)
  | ConfirmCommand
  | LapseCommand
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
  evolve(state, event) {
    if (event.type === 'ResourceSubmitted') return begun(event.data);
    if (!state) return undefined;
    const confirmed = confirmedAfter(state, event);
    if (event.type === 'ResourceConfirmed') return { ...state, ...confirmed };
    if (event.type === 'ResourceConfirmationLapsed') return { ...state, lapsedOn: event.data.confirmed.on };
    if (isMergeEvent(event)) return afterMerge(state, event);
    return { ...evolved(state, stepOf('Resource', event)), ...confirmed, ...sourceConfirmedBy(event) };
  },
  decide(command, state) {
    const isRead = command.kind === 'import' && !state?.mergedInto;
    return withSourceConfirmed(isRead ? command : undefined, state, decidedOn(command, state));
  },
};

function decidedOn(command: ResourceCommand, state: ResourceState): ResourceEvent[] {
  if (isOfMerge(command)) return decidedMerge(command, requireResource(command, state));
  if (command.kind !== 'submit' && command.kind !== 'import') {
    const existing = requireResource(command, state);
    if (existing.mergedInto && isDecision(command)) throw alreadyMerged(existing.mergedInto.survivor);
    if (command.kind === 'confirm') return confirmed(existing, command, announced(existing));
    if (command.kind === 'lapse') return confirmationLapsed(existing, command, announced(existing));
    const steps =
      command.kind === 'send-again'
        ? sentAgain(existing, command.change)
        : decided(resourceKind, command, existing);
    const events = eventsOf(existing, steps, eventOf);
    return command.kind === 'revise' ? confirmedByChange(existing, events) : events;
  }
  if (command.kind === 'import' && state && isRecordOf(state, command))
    if (state.mergedInto) return onlyRead(state, command.fields);
    else return changedBySource(state, eventsOf(state, refreshed(resourceKind, command, state), eventOf));
  if (state || (command.kind === 'import' && command.own))
    throw new CommandRefused('conflict', `${command.svc_id} is taken.`);
  return submitted(command);
}

export const noResource = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such record in your directory.');

/** @throws CommandRefused not_found */
export const requireResource = (by: ByTeam, state: ResourceState): ExistingResource =>
  requireState(by, state, noResource);

/** Whether a resource is the record of a source, or the one of this directory that an export has. */
export const isRecordOf = (
  state: ExistingResource,
  record: Pick<Import, 'team' | 'source' | 'own'>,
): boolean =>
  record.own ? state.team === record.team && state.source === undefined : isOfSource(state, record);

/** What changes a record, or whether it is public. An import and its undoing keep what the source of a merged record says. */
const isDecision = ({ kind }: ResourceCommand): boolean =>
  ['approve', 'reject', 'revise', 'send-again', 'confirm', 'deactivate', 'reactivate'].includes(kind);

/** A record that waits is changed; one that was rejected waits for a reviewer again. @throws CommandRefused */
function sentAgain({ status, fields }: ExistingResource, change: SealedChange): Step<ResourceFields>[] {
  if (status !== 'submitted' && status !== 'rejected')
    throw new CommandRefused(
      'conflict',
      'It was decided meanwhile. Ask a reviewer of the team to change it.',
    );
  const changed = changedBy(fields, change);
  return [
    ...(differ(fields, changed) ? [{ type: 'Revised', data: { fields: changed } } as const] : []),
    ...(status === 'rejected' ? [{ type: 'Resubmitted', data: { sent_again: true } } as const] : []),
  ];
}

/** The record that has its place takes what the source says now. The next import compares with it. */
const onlyRead = (state: ExistingResource, theirs: ResourceFields): ResourceEvent[] =>
  differ(state.base ?? state.fields, theirs) ? eventsOf(state, [readFromSource(theirs)], eventOf) : [];

function decidedMerge(command: MergeCommand, state: ExistingResource): ResourceEvent[] {
  const { mergedInto } = state;
  if (command.kind === 'merge') {
    const { merge, survivor } = command;
    if (mergedInto?.merge === merge) return [];
    if (mergedInto) throw alreadyMerged(mergedInto.survivor);
    return [{ type: 'ResourceMerged', data: { merged_into: survivor, merge, ...announcedIf(state) } }];
  }
  if (command.kind === 'unmerge') {
    const { merge, status, fields } = command;
    if (mergedInto?.merge !== merge) return [];
    const after: ExistingResource = { ...state, status };
    const unmerged = { merge, status, ...announcedIf(after) };
    return [{ type: 'ResourceUnmerged', data: unmerged }, ...revisedTo(after, fields)];
  }
  if (command.kind === 'release') {
    const { merge, fields } = command;
    const [duplicate] = [...(state.absorbed ?? [])].find((each) => each[1] === merge) ?? [];
    if (duplicate === undefined) return [];
    return [
      { type: 'ResourceReleased', data: { duplicate, merge } },
      ...(fields ? revisedTo(state, fields) : []),
    ];
  }
  if (mergedInto) throw alreadyMerged(mergedInto.survivor);
  if (command.kind === 'take-over') return changedBySource(state, revisedTo(state, command.fields));
  const { merge, duplicate, change } = command;
  if (state.absorbed?.get(duplicate) === merge) return [];
  return [
    { type: 'ResourceAbsorbed', data: { duplicate, merge } },
    ...revisedTo(state, changedBy(state.fields, change)),
  ];
}

const revisedTo = (state: ExistingResource, fields: ResourceFields): ResourceEvent[] =>
  differ(state.fields, fields) ? eventsOf(state, [{ type: 'Revised', data: { fields } }], eventOf) : [];

type MergeEvent = Extract<
  ResourceEvent,
  { type: `Resource${'Merged' | 'Unmerged' | 'Absorbed' | 'Released'}` }
>;
const mergeEvents = ['ResourceMerged', 'ResourceUnmerged', 'ResourceAbsorbed', 'ResourceReleased'];
const isMergeEvent = (event: ResourceEvent): event is MergeEvent => mergeEvents.includes(event.type);

function afterMerge(state: ExistingResource, event: MergeEvent): ExistingResource {
  switch (event.type) {
    case 'ResourceMerged': {
      const { merged_into: survivor, merge } = event.data;
      return { ...state, status: 'inactive', mergedInto: { survivor, merge } };
    }
    case 'ResourceUnmerged':
      return { ...state, status: event.data.status, mergedInto: undefined };
    case 'ResourceAbsorbed':
      return { ...state, absorbed: new Map(state.absorbed).set(event.data.duplicate, event.data.merge) };
    case 'ResourceReleased': {
      const absorbed = new Map(state.absorbed);
      absorbed.delete(event.data.duplicate);
      return { ...state, absorbed };
    }
  }
}

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
function eventOf(state: ExistingResource, step: Step<ResourceFields>): ResourceEvent {
  switch (step.type) {
    case 'Approved':
      return { type: 'ResourceApproved', data: { ...announced(state), ...step.data } };
    case 'Rejected':
      return {
        type: 'ResourceRejected',
        data: { ...announced(state), ...step.data, ...rejectedBefore(state) },
      };
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
      return { type: 'ResourceResubmitted', data: defined({ sent_again: step.data.sent_again }) };
  }
}

/** Of a record that is public. */
const announcedIf = (state: ExistingResource) =>
  state.status === 'approved' ? { announced: announced(state) } : {};

/** Nobody is told twice that the same submission was rejected. */
const rejectedBefore = ({ rejectionAnnounced }: ExistingResource) =>
  rejectionAnnounced ? { rejected_before: true as const } : {};

/** What subscribers are told about it. */
const announced = ({ svc_id, id, team, fields }: ExistingResource) => ({
  svc_id,
  id,
  team,
  name: shownName(fields),
  category: fields.category,
});
