import { z } from 'zod';
import {
  organizationFieldRows,
  organizationFields,
  type UnsealedOrganizationFields,
} from '../../events/directory/organization-fields.ts';
import { inTitleCase } from '../../events/directory/shown-name.ts';
import {
  organizationStream,
  type OrganizationEvent,
  type OrganizationFields,
} from '../../events/directory/organization.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import { decided, type ReviewCommand } from './review-decisions.ts';
import { approval, isOfSource, refreshed, type FromSource } from './reviewed-from-source.ts';
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

/** An organization that there is. */
export interface ExistingOrganization extends ReviewedState<OrganizationFields> {
  readonly org_id: string;
}

export type OrganizationState = ExistingOrganization | undefined;

/** An organization that a source brings. */
export interface OrganizationImport extends FromSource<OrganizationFields> {
  readonly kind: 'import';
  readonly org_id: string;
  /** It is in an export of this directory: what came from no source is revised, what came from one stays. */
  readonly own?: true;
}

export type OrganizationCommand =
  | {
      readonly kind: 'submit';
      readonly org_id: string;
      readonly team: string;
      readonly fields: OrganizationFields;
    }
  | OrganizationImport
  /** Approves it if it waits for review. */
  | ({ readonly kind: 'approve-waiting' } & ByTeam)
  | ReviewCommand<OrganizationFields, SealedOrganizationChange>;

export const organizationKind: ReviewedKind<OrganizationFields, SealedOrganizationChange> = {
  noun: 'organization',
  changed: changedOrganization,
  differ: organizationsDiffer,
};

export const organization: Decider<OrganizationState, OrganizationCommand, OrganizationEvent> = {
  stream: organizationStream,
  initial: undefined,
  evolve: (state, event) =>
    event.type === 'OrganizationSubmitted'
      ? begun(event.data)
      : state && evolved(state, stepOf('Organization', event)),
  decide(command, state) {
    if (command.kind === 'submit' || command.kind === 'import') return brought(command, state);
    const existing = requireOrganization(command, state);
    if (command.kind !== 'approve-waiting')
      return eventsOf(existing, decided(organizationKind, command, existing), eventOf);
    return existing.status === 'submitted' ? [eventOf(existing, approval(existing))] : [];
  },
};

export const noOrganization = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such organization in your directory.');

/** @throws CommandRefused not_found */
export const requireOrganization = (by: ByTeam, state: OrganizationState): ExistingOrganization =>
  requireState(by, state, noOrganization);

/** Whether an organization is that of a source, or the one of this directory that an export has. */
export const isOrganizationOf = (
  state: ExistingOrganization,
  of: Pick<OrganizationImport, 'team' | 'source' | 'own'>,
): boolean => (of.own ? state.team === of.team : isOfSource(state, of));

function brought(
  command: Extract<OrganizationCommand, { kind: 'submit' | 'import' }>,
  state: OrganizationState,
): OrganizationEvent[] {
  const { kind, org_id, team, fields } = command;
  const isImport = kind === 'import';
  if (isImport && state && isOrganizationOf(state, command)) {
    const stays = command.own && state.source !== undefined;
    return stays ? [] : eventsOf(state, refreshed(organizationKind, command, state), eventOf);
  }
  if (state || (isImport && command.own)) throw new CommandRefused('conflict', `${org_id} is taken.`);
  const data = { org_id, team, ...(isImport ? { source: command.source } : {}), fields };
  const steps = isImport && command.approve ? [approval({})] : [];
  return [{ type: 'OrganizationSubmitted', data }, ...eventsOf(begun(data), steps, eventOf)];
}

/** What says something of its fields or a person is the step alone; what is decided about it says its name at that time. */
const eventOf = ({ fields: { name } }: ExistingOrganization, { type, data }: Step<OrganizationFields>) =>
  ({
    type: `Organization${type}`,
    data: 'fields' in data || 'person' in data ? data : { name, ...data },
  }) as OrganizationEvent;

/** Fields to replace; null removes an optional field. */
export type OrganizationChange = ChangeOf<UnsealedOrganizationFields>;
/** The same with what is about persons sealed. */
export type SealedOrganizationChange = ChangeOf<OrganizationFields>;

type ChangeOf<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | null | undefined };

/** The schema of `OrganizationChange`. */
export const organizationChange = z.strictObject(
  Object.fromEntries(
    organizationFieldRows.map(({ name, schema, required }) => [
      name,
      required ? schema.optional() : schema.optional().nullable(),
    ]),
  ),
) as unknown as z.ZodObject<{
  [Name in keyof OrganizationChange]-?: z.ZodType<OrganizationChange[Name], OrganizationChange[Name]>;
}>;

/** The fields after a change. A name that is sent back as it was shown, in title case, stays as it is stored. */
export function changedOrganization(
  fields: OrganizationFields,
  change: SealedOrganizationChange,
): OrganizationFields {
  const changed: Record<string, unknown> = { ...fields };
  const shown: Readonly<Record<string, unknown>> = { ...inTitleCase(fields) };
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined || (field in shown && areSame(value, shown[field]))) continue;
    if (value === null) Reflect.deleteProperty(changed, field);
    else changed[field] = value;
  }
  return changed as OrganizationFields;
}

/** Whether fields differ as stored. The schema trims them first. */
export function organizationsDiffer(stored: OrganizationFields, proposed: OrganizationFields): boolean {
  if (haveSameFields(stored, proposed)) return false;
  const { success, data } = organizationFields.safeParse(proposed);
  return !success || !haveSameFields(stored, data);
}

const haveSameFields = (one: OrganizationFields, other: OrganizationFields): boolean =>
  organizationFieldRows.every(({ name }) => areSame(one[name], other[name]));

/** Values of fields are plain JSON whose members have the order of their schema. */
const areSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
