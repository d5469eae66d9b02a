import { integerId, integerOfSvcId, svcIdOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { ResourceSource } from '../../events/directory/resource.ts';
import {
  checkedBeforeSealing,
  resourceFields,
  type ResourceFields,
  type UnsealedFields,
} from '../../events/directory/resource-fields.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute } from '../command-handler.ts';
import { refuseClosed } from '../teams/team.ts';
import { sealImportedPeople } from './imported-people.ts';
import {
  isRecordOf,
  requireResource,
  resource,
  resourceKind,
  type Import,
  type ExistingResource,
  type ResourceCommand,
  type ResourceState,
} from './resource-decider.ts';
import { idsOf, withoutPersons, type ResourceOutcome, type ResourceParts } from './resource.ts';
import { mergedImport } from './reviewed-from-source.ts';
import type { NamedPerson } from './reviewed-state.ts';
import { withUncovered, type FieldConflict } from './three-way.ts';

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
  await refuseClosed(parts.store, record.team);
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
  readonly record: ExistingResource;

  constructor(record: ExistingResource) {
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
  duplicate: ExistingResource,
  context: CommandContext,
): Promise<ImportOutcome> {
  const { checked: _, covered: _covered, ...record } = imported;
  const { svc_id, base = duplicate.fields } = duplicate;
  let [conflicts, erased]: [ImportOutcome['conflicts'], number] = [[], 0];
  let theirs = base;
  const takingOver = async (state: ResourceState): Promise<ResourceCommand> => {
    const survivor = requireResource({ asTeam: record.team }, state);
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
async function atSurvivor<Result>(
  record: ExistingResource,
  work: (svcId: string) => Promise<Result>,
): Promise<Result> {
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
