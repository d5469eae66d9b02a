import { integerId, integerOfSvcId, svcIdOf, uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { streamName } from '../../events/define.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import type { Contact } from '../../events/directory/contact.ts';
import type { ResourceFields, UnsealedFields } from '../../events/directory/resource-fields.ts';
import { checkedBeforeSealing } from '../../events/directory/checked-fields.ts';
import { resourcePersonOf, type PersonalData } from '../../personal/personal-data.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, load, type Outcome } from '../command-handler.ts';
import { erasingEvent } from '../erasing-event.ts';
import { requireTeamExists } from '../teams/team.ts';
import { changedBy, fieldsOf, type ResourceChange, type ResourceInput } from './field-changes.ts';
import { requirePlausiblePlaces } from './plausible-places.ts';
import type { NamedPerson } from './named-people.ts';
import {
  known,
  resource,
  sameSource,
  type ByTeam,
  type Import,
  type ResourceCommand,
  type ResourceState,
} from './resource-decider.ts';
import { sealPeople } from './sealed-people.ts';

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
): Promise<ResourceOutcome> {
  const own = exportedAs === undefined ? undefined : integerOfSvcId(exportedAs);
  if (own !== undefined) {
    const outcome = await importAs(parts, { ...record, id: own, own: true }, context);
    if (outcome) return outcome;
  }
  for (let draw = 0; ; draw++) {
    const id = integerId('import', record.team, record.source.system, record.source.id, String(draw));
    const outcome = await importAs(parts, { ...record, id }, context);
    if (outcome) return outcome;
  }
}

/** Undefined when another resource has this number. */
async function importAs(
  { store, personal }: ResourceParts,
  { checked, ...record }: Omit<ImportedRecord, 'exportedAs'> & Pick<Import, 'id' | 'own'>,
  context: CommandContext,
): Promise<ResourceOutcome | undefined> {
  const svc_id = svcIdOf(record.id);
  const importing = async (state: ResourceState): Promise<ResourceCommand> => {
    const mine = state && sameSource(state, record) ? state.fields : undefined;
    // Before data keys are begun for the persons whom it names.
    if (record.own && !mine)
      throw new CommandRefused('conflict', `${svc_id} is no resource of ${record.team}.`);
    const fields = await sealPeople(personal, withoutIds(record.fields), mine ?? {}, idsOf(context, svc_id));
    return { kind: 'import', svc_id, ...record, fields: checked ? checkedBeforeSealing(fields) : fields };
  };
  try {
    return await execute(store, resource, svc_id, importing, context);
  } catch (error) {
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    return undefined;
  }
}

/** A command on a resource that exists. What a change says about persons is in clear. */
export type CommandOnResource =
  | Exclude<ResourceCommand, { kind: 'submit' | 'import' | 'revise' | 'erase-person' }>
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
  const event = erasingEvent(outcome, streamName(resourceStream, svcId), context);
  await personal.erase(resourcePersonOf(person), event);
  return outcome;
}

/** A person whom a resource names or has named, with what it last said of them. Nothing, when that is erased. */
export interface PersonOfResource extends Omit<NamedPerson, 'sealed'> {
  readonly said: Contact | string | undefined;
}

/** Everybody whom a resource has ever named. @throws CommandRefused not_found */
export async function peopleOfResource(
  { store, personal }: ResourceParts,
  svcId: string,
  by: ByTeam = {},
): Promise<PersonOfResource[]> {
  const { state } = await load(store, resource, svcId);
  const { people } = known(by, state);
  const left = people.filter(({ standing }) => standing !== 'erased');
  const opened = await personal.openMany(
    left.map(({ person, sealed }) => ({ holder: resourcePersonOf(person), sealed })),
  );
  const said = new Map(
    left.map(({ person }, place) => [person, opened[place] as Contact | string | undefined]),
  );
  return people.map(({ person, field, standing }) => ({ person, field, standing, said: said.get(person) }));
}

/** The ids of persons whom a command names first. A repeat makes the same. */
const idsOf =
  ({ commandId }: CommandContext, svcId: string) =>
  (place: string): string =>
    uuidOf(commandId, svcId, 'person', place);

/** A source cannot know the ids of persons. */
const withoutIds = (fields: UnsealedFields): UnsealedFields =>
  fields.contacts ? { ...fields, contacts: fields.contacts.map(({ id: _, ...contact }) => contact) } : fields;
