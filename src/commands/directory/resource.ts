import { integerId, integerOfSvcId, svcIdOf, uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { streamName } from '../../events/define.ts';
import { resourceStream, type ResourceEvent, type ResourceSource } from '../../events/directory/resource.ts';
import {
  personalRows,
  resourceFields,
  type ResourceFields,
  type UnsealedFields,
  checkedBeforeSealing,
} from '../../events/directory/resource-fields.ts';
import { resourcePersonOf, type PersonalData } from '../../personal/personal-data.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import { execute, load, type Outcome } from '../command-handler.ts';
import { erasingEvent } from '../erasing-event.ts';
import { requireTeamExists } from '../teams/team.ts';
import {
  changedBy,
  fieldsOf,
  requirePlausiblePlaces,
  type ResourceChange,
  type ResourceInput,
} from './field-changes.ts';
import {
  isRecordOf,
  known,
  resource,
  resourceKind,
  type Import,
  type Known,
  type MergeCommand,
  type ResourceCommand,
  type ResourceState,
} from './resource-decider.ts';
import { mergedImport } from './reviewed-from-source.ts';
import type { ByTeam, NamedPerson } from './reviewed-state.ts';
import { sealImportedPeople } from './imported-people.ts';
import { openNamed, sealPeople, type OpenedPerson } from './sealed-people.ts';
import { withUncovered, type FieldConflict } from './three-way.ts';
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
  await requireTeamExists(store, team);
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

/** A record of a source, before what is about persons is sealed. */
export interface ImportedRecord extends Omit<Import, 'kind' | 'svc_id' | 'id' | 'fields' | 'own'> {
  readonly fields: UnsealedFields;
  /** The fields were checked with `unsealedFields`, and are what it made of them. */
  readonly checked?: true;
  /** The `svc_id` under which an export of ours has it. */
  readonly exportedAs?: string | undefined;
  /** The fields of which the source can say something. Others stay as they stand. Default: all. */
  readonly covered?: readonly string[] | undefined;
}

/** What importing a record came to. */
export interface ImportOutcome extends ResourceOutcome {
  /** Fields that the source and a person have changed. Values that are about persons are left out. */
  readonly conflicts: readonly FieldConflict[];
  /** So many contacts are left out because they were erased. */
  readonly erased: number;
  /** The record that the source means was merged into another one, which took what the source says. */
  readonly merged?: true;
}

/**
 * Creates, revises or keeps one record of a source. Its id is a hash of (team, system, source id). When another
 * resource has that number, a counter is added to the hash. A resource that came from no source and was exported from
 * this directory is itself.
 */
export async function importResource(
  parts: ResourceParts,
  { exportedAs, ...record }: ImportedRecord,
  context: CommandContext,
): Promise<ImportOutcome> {
  const own = exportedAs === undefined ? undefined : integerOfSvcId(exportedAs);
  if (own !== undefined) {
    const outcome = await importAs(parts, { ...record, id: own, own: true }, context);
    if (outcome) return outcome;
  }
  for (let draw = 0; ; draw++) {
    const id = importedId(record.team, record.source, draw);
    const outcome = await importAs(parts, { ...record, id }, context);
    if (outcome) return outcome;
  }
}

const importedId = (team: string, { system, id }: ResourceSource, draw: number): number =>
  integerId('import', team, system, id, String(draw));

/** The `svc_id` of a record of a source, unless another resource had its number before. */
export const importedSvcId = (team: string, source: ResourceSource): string =>
  svcIdOf(importedId(team, source, 0));

/** Undefined when another resource has this number. */
async function importAs(
  { store, personal }: ResourceParts,
  imported: Omit<ImportedRecord, 'exportedAs'> & Pick<Import, 'id' | 'own'>,
  context: CommandContext,
): Promise<ImportOutcome | undefined> {
  const { checked: _, covered: _covered, ...record } = imported;
  const svc_id = svcIdOf(record.id);
  let [conflicts, erased]: [ImportOutcome['conflicts'], number] = [[], 0];
  const importing = async (state: ResourceState): Promise<ResourceCommand> => {
    const stands = state && isRecordOf(state, record) ? state : undefined;
    if (stands?.mergedInto) throw new IsMerged(stands);
    // Before data keys are begun for the persons whom it names.
    if (record.own && !stands)
      throw new CommandRefused('conflict', `${svc_id} is no record of ${record.team}.`);
    const { fields: mine, base, people = [] } = stands ?? {};
    const sealed = await sealedImport(personal, imported, { mine, base, people }, idsOf(context, svc_id));
    const { fields } = sealed;
    const command = { kind: 'import', svc_id, ...record, fields } as const;
    erased = sealed.erased;
    conflicts = stands ? mergedImport(resourceKind, command, stands).conflicts.map(withoutPersons) : [];
    return command;
  };
  try {
    return { ...(await execute(store, resource, svc_id, importing, context)), conflicts, erased };
  } catch (error) {
    if (error instanceof IsMerged)
      return importOverMerge({ store, personal }, imported, error.record, context);
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    return undefined;
  }
}

/** The record that is to be imported, or to take what an import says, was merged into another one. */
class IsMerged extends Error {
  readonly record: Known;

  constructor(record: Known) {
    super(`${record.svc_id} was merged.`);
    this.record = record;
  }
}

/**
 * Compares what a source says of a record that was merged with the one that has its place, and with what the source said of it
 * before. The one that stays is changed first: an import that is cut off in between, and repeated, finds nothing more to change.
 */
async function importOverMerge(
  { store, personal }: ResourceParts,
  imported: Omit<ImportedRecord, 'exportedAs'> & Pick<Import, 'id' | 'own'>,
  duplicate: Known,
  context: CommandContext,
): Promise<ImportOutcome> {
  const { checked: _, covered: _covered, ...record } = imported;
  const { svc_id, base = duplicate.fields } = duplicate;
  let [conflicts, erased]: [ImportOutcome['conflicts'], number] = [[], 0];
  let theirs = base;
  const takingOver = async (state: ResourceState): Promise<ResourceCommand> => {
    const survivor = known({ asTeam: record.team }, state);
    if (survivor.mergedInto) throw new IsMerged(survivor);
    const { fields: mine } = survivor;
    const people = [...duplicate.people, ...survivor.people];
    const sealed = await sealedImport(personal, imported, { mine, base, people }, idsOf(context, svc_id));
    [theirs, erased] = [sealed.fields, sealed.erased];
    const ways = { fields: theirs, take: record.take };
    const merged = mergedImport(resourceKind, ways, { ...survivor, base });
    conflicts = merged.conflicts.map(withoutPersons);
    return { kind: 'take-over', fields: merged.fields };
  };
  const stays = await atSurvivor(duplicate, (id) => execute(store, resource, id, takingOver, context));
  const command = { kind: 'import', svc_id, ...record, fields: theirs } as const;
  const read = await execute(store, resource, svc_id, command, context);
  return {
    ...stays,
    events: [...stays.events, ...read.events],
    position: stays.position > read.position ? stays.position : read.position,
    types: [...new Set([...stays.types, ...read.types])],
    ...{ conflicts, erased, merged: true },
  };
}

/** Does something with the record that has the place of another one: where that was merged itself, with the next. */
async function atSurvivor<Result>(record: Known, work: (svcId: string) => Promise<Result>): Promise<Result> {
  for (let merged = record; ;) {
    try {
      return await work(merged.mergedInto?.survivor ?? merged.svc_id);
    } catch (error) {
      if (!(error instanceof IsMerged)) throw error;
      merged = error.record;
    }
  }
}

/** What a source says, with what is about persons sealed. `stands`: with which it will be compared. */
async function sealedImport(
  personal: PersonalData,
  { checked, covered, ...record }: Pick<ImportedRecord, 'team' | 'source' | 'fields' | 'checked' | 'covered'>,
  stands: {
    readonly mine: ResourceFields | undefined;
    readonly base: ResourceFields | undefined;
    readonly people: readonly NamedPerson[];
  },
  newId: (place: string) => string,
): Promise<{ readonly fields: ResourceFields; readonly erased: number }> {
  const { mine, base = mine } = stands;
  const { fields, erased } = await sealImportedPeople(personal, record.fields, record, stands, newId);
  const all = covered && base ? withUncovered(fields, base, covered) : fields;
  return {
    fields: checked ? checkedBeforeSealing(all) : (resourceFields.safeParse(all).data ?? all),
    erased,
  };
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

/** A command on a resource that exists. What a change says about persons is in clear. */
export type CommandOnResource =
  | Exclude<
      ResourceCommand,
      {
        kind:
          'submit' | 'import' | 'revise' | 'erase-person' | 'remove-missing' | 'undo' | MergeCommand['kind'];
      }
    >
  | ({
      readonly kind: 'revise';
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
  if (command.kind !== 'revise') return execute(store, resource, svcId, command, context);
  const { unchangedSince, ...revision } = command;
  const revising = async (state: ResourceState, position: Position): Promise<ResourceCommand> => {
    const { fields } = known(command, state);
    if (unchangedSince !== undefined && position !== unchangedSince)
      throw new RecordChanged(fields, position);
    const change = await sealPeople(personal, command.change, fields, idsOf(context, svcId));
    requirePlausiblePlaces(changedBy(fields, change).locations, fields.locations);
    return { ...revision, change };
  };
  return execute(store, resource, svcId, revising, context);
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
  await erasedInMerges(store, outcome.state, person, context);
  const event = erasingEvent(outcome, streamName(resourceStream, svcId), context);
  await personal.erase(resourcePersonOf(person), event);
  return outcome;
}

/** Records that were merged into each other name the same persons: each says that this one is erased. */
async function erasedInMerges(
  store: EventStore,
  of: ResourceState,
  person: string,
  context: CommandContext,
): Promise<void> {
  const relatives = (state: ResourceState) => [
    ...(state?.mergedInto ? [state.mergedInto.survivor] : []),
    ...(state?.absorbed?.keys() ?? []),
  ];
  const found = new Set([of?.svc_id, ...relatives(of)]);
  for (const svcId of found) {
    if (svcId === undefined || svcId === of?.svc_id) continue;
    const { state } = await load(store, resource, svcId);
    for (const each of relatives(state)) found.add(each);
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
  return openNamed(personal, known(by, state).people);
}

/** The ids of persons whom a command names first. A repeat makes the same. */
const idsOf =
  ({ commandId }: CommandContext, svcId: string) =>
  (place: string): string =>
    uuidOf(commandId, svcId, 'person', place);
