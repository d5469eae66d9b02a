import { integerId, svcIdOf, uuidOf } from '../../events/ids.ts';
import type { CommandContext, Metadata } from '../../events/metadata.ts';
import { streamName } from '../../events/define.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import { personalRows, type ResourceFields } from '../../events/directory/resource-fields.ts';
import { resourcePersonOf, type PersonalData } from '../../personal/personal-data.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import { execute, load, type Outcome } from '../command-handler.ts';
import { recordsEverMerged } from '../directory-merges.ts';
import { erasingEvent } from '../erasing-event.ts';
import { refuseClosed, requireOpenForRecords } from '../teams/team.ts';
import {
  changedBy,
  fieldsOf,
  requirePlausiblePlaces,
  type ResourceChange,
  type ResourceInput,
} from './field-changes.ts';
import {
  requireResource,
  resource,
  resourceKind,
  type ResourceCommand,
  type ResourceState,
} from './resource-decider.ts';
import type { MergeCommand } from './merge-command.ts';
import type { ByTeam } from './reviewed-state.ts';
import { openNamed, sealPeople, type OpenedPerson } from './sealed-people.ts';
import type { FieldConflict } from './three-way.ts';
import { markedEvents, typesOfUndoing, undoingOf, type Operation, type Undone } from './undoing.ts';

/** What commands on resources are carried out with. */
export interface ResourceParts {
  readonly store: EventStore;
  /** Seals what a record says about persons. */
  readonly personal: PersonalData;
}

export type ResourceOutcome = Outcome<ResourceState, ResourceEvent>;

/** Submits a resource. Its id follows from the command, so a repeat finds its own stream. */
export async function submitResource(
  { store, personal }: ResourceParts,
  { team, fields: input }: { readonly team: string; readonly fields: ResourceInput },
  context: CommandContext,
): Promise<ResourceOutcome> {
  await requireOpenForRecords(store, team);
  for (let draw = 0; ; draw++) {
    const id = integerId('submission', context.commandId, String(draw));
    const svc_id = svcIdOf(id);
    // Sealed only when it is decided: a repeated command must not begin the data key of an erased person again.
    const submission = async (): Promise<ResourceCommand> => {
      const fields = fieldsOf(await sealPeople(personal, input, {}, idsOf(context, svc_id)));
      requirePlausiblePlaces(fields.locations, []);
      return { kind: 'submit', svc_id, id, team, fields };
    };
    try {
      return await execute(store, resource, svc_id, submission, context, { from: 'no_stream' });
    } catch (error) {
      // Another resource has this 52-bit number, so the next candidate is tried.
      if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    }
  }
}

/** Reports are kept and passed on: they say of persons that something differs, and not what. */
export const withoutPersons = (conflict: FieldConflict): FieldConflict =>
  personalRows.some(({ name }) => name === conflict.field)
    ? { ...conflict, before: undefined, theirs: undefined, mine: undefined }
    : conflict;

/** Takes out a record that its source no longer has, unless a reviewer has decided about it. */
export const removeMissing = (
  { store }: Pick<ResourceParts, 'store'>,
  svcId: string,
  context: CommandContext,
): Promise<ResourceOutcome> => execute(store, resource, svcId, { kind: 'remove-missing' }, context);

/**
 * Takes back what an operation did to a record. What was changed since stays, and is named in `left`.
 */
export async function undoResource(
  { store }: Pick<ResourceParts, 'store'>,
  svcId: string,
  operation: Operation,
  context: CommandContext,
): Promise<ResourceOutcome & Undone> {
  let left: Undone['left'] = [];
  let before: Undone['undone'] = [];
  const undoing = async (): Promise<ResourceCommand> => {
    const history = await store.readStream(streamName(resourceStream, svcId));
    const marked = markedEvents<ResourceEvent>(history, operation);
    const { left: changedSince, ...undo } = undoingOf(resource, marked, resourceKind.together);
    left = changedSince;
    before = typesOfUndoing(marked);
    return { kind: 'undo', ...undo, reason: operation.reason };
  };
  const outcome = await execute(store, resource, svcId, undoing, context);
  return { ...outcome, left, undone: [...before, ...outcome.events.map(({ type }) => type)] };
}

/**
 * Takes back a decision about a record, so that it waits again. `correlationId`: of the request that decided.
 *
 * @throws CommandRefused not_found; conflict, where somebody has decided since
 */
export async function undoDecision(
  { store }: Pick<ResourceParts, 'store'>,
  svcId: string,
  correlationId: string,
  context: CommandContext,
): Promise<ResourceOutcome> {
  const history = await store.readStream(streamName(resourceStream, svcId));
  const decision = history.find(
    ({ type, metadata }) =>
      metadata['correlation_id'] === correlationId &&
      (type === 'ResourceApproved' || type === 'ResourceRejected'),
  );
  if (!decision) throw new CommandRefused('not_found', 'This decision is not recorded.');
  const causationId = String(decision.metadata['causation_id']);
  const reason = 'The decision is taken back.';
  const outcome = await undoResource({ store }, svcId, { correlationId, causationId, reason }, context);
  if (outcome.events.length === 0)
    throw new CommandRefused('conflict', 'Somebody has decided about this record since.');
  return outcome;
}

/** A command on a resource that exists. What a change says about persons is in clear. */
export type CommandOnResource =
  | Exclude<
      ResourceCommand,
      {
        kind:
          | 'submit'
          | 'import'
          | 'revise'
          | 'send-again'
          | 'erase-person'
          | 'remove-missing'
          | 'undo'
          | MergeCommand['kind'];
      }
    >
  | ({
      readonly kind: 'revise' | 'send-again';
      readonly change: ResourceChange;
      /** The position of the newest event that whoever changes it has seen. Later ones refuse the change. */
      readonly unchangedSince?: Position | undefined;
    } & ByTeam);

/** Somebody else has changed the record since it was looked at. */
export class RecordChanged extends CommandRefused {
  /** What it says now. */
  readonly fields: ResourceFields;
  /** Of its newest event. */
  readonly position: Position;

  constructor(fields: ResourceFields, position: Position) {
    super('conflict', 'Somebody else has changed this record meanwhile.');
    this.fields = fields;
    this.position = position;
  }
}

export function commandResource(
  { store, personal }: ResourceParts,
  svcId: string,
  command: CommandOnResource,
  context: CommandContext,
): Promise<ResourceOutcome> {
  if (!('change' in command)) return execute(store, resource, svcId, inOpenTeam(store, command), context);
  const { unchangedSince, ...revision } = command;
  const revising = async (state: ResourceState, position: Position): Promise<ResourceCommand> => {
    const { fields, team } = requireResource(command, state);
    await refuseClosed(store, team);
    if (unchangedSince !== undefined && position !== unchangedSince)
      throw new RecordChanged(fields, position);
    const change = await sealPeople(personal, command.change, fields, idsOf(context, svcId));
    requirePlausiblePlaces(changedBy(fields, change).locations, fields.locations);
    return { ...revision, change };
  };
  return execute(store, resource, svcId, revising, context);
}

/**
 * A command on what a team has, which is refused while the team is closed. What it has public is taken out all the same:
 * closing does that.
 */
export const inOpenTeam =
  <Command extends { readonly kind: string } & ByTeam>(store: EventStore, command: Command) =>
  async (state: { readonly team: string } | undefined): Promise<Command> => {
    const { kind, asTeam = state?.team } = command;
    if (state && state.team === asTeam && kind !== 'deactivate') await refuseClosed(store, state.team);
    return command;
  };

/** The person who submitted a record. Undefined: a key or an import did, or there is no such record. */
export async function submitterOf(
  { store }: Pick<ResourceParts, 'store'>,
  svcId: string,
): Promise<string | undefined> {
  const [first] = await store.readStream(streamName(resourceStream, svcId), { limit: 1 });
  if (!first || 'source' in (first.data as object)) return undefined;
  const { actor } = first.metadata as unknown as Metadata;
  return actor.kind === 'user' ? actor.id : undefined;
}

/**
 * Erases what a resource has ever said about a person: destroys the data key. The events stay. Repeating it after a
 * crash finishes it.
 *
 * @throws CommandRefused not_found
 */
export async function eraseResourcePerson(
  { store, personal }: ResourceParts,
  svcId: string,
  { person, ...by }: { readonly person: string } & ByTeam,
  context: CommandContext,
): Promise<ResourceOutcome> {
  await personal.readyToErase();
  const outcome = await execute(store, resource, svcId, { kind: 'erase-person', person, ...by }, context);
  await erasedInMerges(store, svcId, person, context);
  const event = erasingEvent(outcome, streamName(resourceStream, svcId), context);
  await personal.erase(resourcePersonOf(person), event);
  return outcome;
}

/** Records that are or were merged into each other name the same persons: each says that this one is erased. */
async function erasedInMerges(
  store: EventStore,
  of: string,
  person: string,
  context: CommandContext,
): Promise<void> {
  for (const svcId of (await recordsEverMerged(store, of)).keys()) {
    if (svcId === of) continue;
    const { state } = await load(store, resource, svcId);
    if (state?.people.some((each) => each.person === person && each.standing !== 'erased'))
      await execute(store, resource, svcId, { kind: 'erase-person', person }, context);
  }
}

/** Everybody whom a resource has ever named. @throws CommandRefused not_found */
export async function peopleOfResource(
  { store, personal }: ResourceParts,
  svcId: string,
  by: ByTeam = {},
): Promise<OpenedPerson[]> {
  const { state } = await load(store, resource, svcId);
  return openNamed(personal, requireResource(by, state).people);
}

/** The ids of persons whom a command names first. A repeat makes the same. */
export const idsOf =
  ({ commandId }: CommandContext, svcId: string) =>
  (place: string): string =>
    uuidOf(commandId, svcId, 'person', place);
