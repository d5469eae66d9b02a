import type { CommandContext } from '../../events/metadata.ts';
import { streamName } from '../../events/define.ts';
import { integerId, orgIdOf, uuidOf } from '../../events/ids.ts';
import { organizationStream, type OrganizationEvent } from '../../events/directory/organization.ts';
import {
  organizationFields,
  type OrganizationFields,
  type UnsealedOrganizationFields,
} from '../../events/directory/organization-fields.ts';
import { resourcePersonOf } from '../../personal/personal-data.ts';
import type { Position } from '../../stores/event-store/port.ts';
import { execute, load, type Outcome } from '../command-handler.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { erasingEvent } from '../erasing-event.ts';
import { refuseClosed, requireOpenForRecords } from '../teams/team.ts';
import { sealImportedPeople } from './imported-people.ts';
import {
  changedOrganization,
  isOrganizationOf,
  requireOrganization,
  organization,
  organizationKind,
  type OrganizationChange,
  type OrganizationCommand,
  type OrganizationImport,
  type OrganizationState,
} from './organization-decider.ts';
import { requirePlausiblePlaces } from './field-changes.ts';
import { inOpenTeam, withoutPersons, type ResourceOutcome, type ResourceParts } from './resource.ts';
import { mergedImport } from './reviewed-from-source.ts';
import type { ByTeam } from './reviewed-state.ts';
import { withUncovered, type FieldConflict } from './three-way.ts';
import { openNamed, sealPeople, type OpenedPerson } from './sealed-people.ts';
import { markedEvents, typesOfUndoing, undoingOf, type Operation, type Undone } from './undoing.ts';

export type OrganizationOutcome = Outcome<OrganizationState, OrganizationEvent>;

/** Submits an organization. Its id follows from the command, so a repeat finds its own stream. */
export async function submitOrganization(
  { store, personal }: ResourceParts,
  { team, fields: input }: { readonly team: string; readonly fields: UnsealedOrganizationFields },
  context: CommandContext,
): Promise<OrganizationOutcome> {
  await requireOpenForRecords(store, team);
  for (let draw = 0; ; draw++) {
    const org_id = orgIdOf(integerId('organization', context.commandId, String(draw)));
    // Sealed only when it is decided: a repeated command must not begin the data key of an erased person again.
    const submission = async (): Promise<OrganizationCommand> => {
      const fields = await sealPeople(personal, input, {}, personIds(context, org_id));
      requirePlausiblePlaces(fields.locations, []);
      return { kind: 'submit', org_id, team, fields };
    };
    try {
      return await execute(store, organization, org_id, submission, context, { from: 'no_stream' });
    } catch (error) {
      // Another organization has this number, so the next candidate is tried.
      if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    }
  }
}

/** An organization of a source, before what is about persons is sealed. */
export interface ImportedOrganization extends Omit<OrganizationImport, 'kind' | 'org_id' | 'fields' | 'own'> {
  readonly fields: UnsealedOrganizationFields;
  /** The `org_id` under which an export of ours has it, and the fields that an export has. Others stay as they stand. */
  readonly exportedAs?: { readonly org_id: string; readonly covered: readonly string[] } | undefined;
}

/**
 * Creates, revises or keeps one organization of a source. Its id is a hash of (team, system, source id). When another
 * organization has that number, a counter is added to the hash. One that was exported from this directory is itself.
 */
export async function importOrganization(
  parts: ResourceParts,
  { exportedAs, ...input }: ImportedOrganization,
  context: CommandContext,
): Promise<OrganizationImportOutcome & { readonly org_id: string }> {
  await refuseClosed(parts.store, input.team);
  if (exportedAs) {
    const { org_id, covered } = exportedAs;
    const outcome = await importAs(parts, { ...input, org_id, own: true }, covered, context);
    if (outcome) return { ...outcome, org_id };
  }
  for (let draw = 0; ; draw++) {
    const { system, id } = input.source;
    const org_id = orgIdOf(integerId('import-organization', input.team, system, id, String(draw)));
    const outcome = await importAs(parts, { ...input, org_id }, undefined, context);
    if (outcome) return { ...outcome, org_id };
  }
}

/** What importing an organization came to. */
export interface OrganizationImportOutcome extends OrganizationOutcome {
  /** Fields that the source and a person have changed. Values that are about persons are left out. */
  readonly conflicts: readonly FieldConflict[];
}

/** Takes out an organization that its source no longer has, unless a reviewer has decided about it. */
export const removeMissingOrganization = (
  { store }: Pick<ResourceParts, 'store'>,
  orgId: string,
  context: CommandContext,
): Promise<OrganizationOutcome> => execute(store, organization, orgId, { kind: 'remove-missing' }, context);

/** Undefined when another organization has this number. */
async function importAs(
  { store, personal }: ResourceParts,
  input: Omit<ImportedOrganization, 'exportedAs'> & Pick<OrganizationImport, 'org_id' | 'own'>,
  covered: readonly string[] | undefined,
  context: CommandContext,
): Promise<OrganizationImportOutcome | undefined> {
  const { org_id } = input;
  let conflicts: OrganizationImportOutcome['conflicts'] = [];
  const importing = async (state: OrganizationState): Promise<OrganizationCommand> => {
    const stands = state && isOrganizationOf(state, input) ? state : undefined;
    // Before data keys are begun for the persons whom it names.
    if (input.own && !stands)
      throw new CommandRefused('conflict', `${org_id} is no organization of ${input.team}.`);
    const { fields: mine, base, people = [] } = stands ?? {};
    const of = { ...input, kind: 'organization' } as const;
    const newId = personIds(context, org_id);
    const { fields } = await sealImportedPeople<OrganizationFields>(
      personal,
      input.fields,
      of,
      { mine, base, people },
      newId,
    );
    const merged = covered && mine ? withUncovered(fields, base ?? mine, covered) : fields;
    const checked = organizationFields.safeParse(merged).data ?? merged;
    const command = { kind: 'import', ...input, fields: checked } as const;
    const isLeft = stands === undefined || (input.own === true && stands.source !== undefined);
    conflicts = isLeft ? [] : mergedImport(organizationKind, command, stands).conflicts.map(withoutPersons);
    return command;
  };
  try {
    return { ...(await execute(store, organization, org_id, importing, context)), conflicts };
  } catch (error) {
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
    return undefined;
  }
}

/**
 * Takes back what an operation did to an organization. What was changed since stays, and is named in `left`.
 */
export async function undoOrganization(
  { store }: Pick<ResourceParts, 'store'>,
  orgId: string,
  operation: Operation,
  context: CommandContext,
): Promise<OrganizationOutcome & Undone> {
  let left: Undone['left'] = [];
  let before: Undone['undone'] = [];
  const undoing = async (): Promise<OrganizationCommand> => {
    const history = await store.readStream(streamName(organizationStream, orgId));
    const marked = markedEvents<OrganizationEvent>(history, operation);
    const { left: changedSince, ...undo } = undoingOf(organization, marked);
    left = changedSince;
    before = typesOfUndoing(marked);
    return { kind: 'undo', ...undo, reason: operation.reason };
  };
  const outcome = await execute(store, organization, orgId, undoing, context);
  return { ...outcome, left, undone: [...before, ...outcome.events.map(({ type }) => type)] };
}

/** A command on an organization that exists. What a change says about persons is in clear. */
export type CommandOnOrganization =
  | Exclude<
      OrganizationCommand,
      { kind: 'submit' | 'import' | 'revise' | 'erase-person' | 'remove-missing' | 'undo' }
    >
  | ({
      readonly kind: 'revise';
      readonly change: OrganizationChange;
      /** The position of the newest event that whoever changes it has seen. Later ones refuse the change. */
      readonly unchangedSince?: Position | undefined;
    } & ByTeam);

/** Somebody else has changed the organization since it was looked at. */
export class OrganizationChanged extends CommandRefused {
  /** What it says now. */
  readonly fields: OrganizationFields;
  /** Of its newest event. */
  readonly position: Position;

  constructor(fields: OrganizationFields, position: Position) {
    super('conflict', 'Somebody else has changed this organization meanwhile.');
    this.fields = fields;
    this.position = position;
  }
}

export function commandOrganization(
  { store, personal }: ResourceParts,
  orgId: string,
  command: CommandOnOrganization,
  context: CommandContext,
): Promise<OrganizationOutcome> {
  if (command.kind !== 'revise')
    return execute(store, organization, orgId, inOpenTeam(store, command), context);
  const { unchangedSince, ...revision } = command;
  const revising = async (state: OrganizationState, position: Position): Promise<OrganizationCommand> => {
    const { fields, team } = requireOrganization(command, state);
    await refuseClosed(store, team);
    if (unchangedSince !== undefined && position !== unchangedSince)
      throw new OrganizationChanged(fields, position);
    const change = await sealPeople(personal, command.change, fields, personIds(context, orgId));
    requirePlausiblePlaces(changedOrganization(fields, change).locations, fields.locations);
    return { ...revision, change };
  };
  return execute(store, organization, orgId, revising, context);
}

/**
 * Approves the organization of an approved record where it waits for review: whoever approves a service approves both.
 * Undefined when there is none in their directory.
 */
export async function approveWaitingOrganization(
  { store }: Pick<ResourceParts, 'store'>,
  orgId: string,
  by: ByTeam,
  context: CommandContext,
): Promise<OrganizationOutcome | undefined> {
  try {
    return await execute(store, organization, orgId, { kind: 'approve-waiting', ...by }, context);
  } catch (error) {
    if (error instanceof CommandRefused && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Approves the organization of a record that was approved, where it waits for review. Undefined: it names none. */
export async function approveOrganizationOf(
  parts: Pick<ResourceParts, 'store'>,
  { state }: Pick<ResourceOutcome, 'state'>,
  context: CommandContext,
): Promise<OrganizationOutcome | undefined> {
  const organization = state?.fields.organization?.id;
  if (!state || organization === undefined) return undefined;
  return approveWaitingOrganization(parts, organization, { asTeam: state.team }, context);
}

/**
 * Erases what an organization has ever said about a person: destroys the data key. The events stay. Repeating it after
 * a crash finishes it.
 *
 * @throws CommandRefused not_found
 */
export async function eraseOrganizationPerson(
  { store, personal }: ResourceParts,
  orgId: string,
  { person, ...by }: { readonly person: string } & ByTeam,
  context: CommandContext,
): Promise<OrganizationOutcome> {
  await personal.readyToErase();
  const command = { kind: 'erase-person', person, ...by } as const;
  const outcome = await execute(store, organization, orgId, command, context);
  const event = erasingEvent(outcome, streamName(organizationStream, orgId), context);
  await personal.erase(resourcePersonOf(person), event);
  return outcome;
}

/** Everybody whom an organization has ever named. @throws CommandRefused not_found */
export async function peopleOfOrganization(
  { store, personal }: ResourceParts,
  orgId: string,
  by: ByTeam = {},
): Promise<OpenedPerson[]> {
  const { state } = await load(store, organization, orgId);
  return openNamed(personal, requireOrganization(by, state).people);
}

/** The ids of persons whom a command names first. A repeat makes the same. */
const personIds =
  ({ commandId }: CommandContext, orgId: string) =>
  (place: string): string =>
    uuidOf(commandId, orgId, 'person', place);
