import type {
  OrganizationEvent,
  OrganizationFields,
} from '../../../events/directory/organization/organization.ts';
import { organizationsDiffer } from './organization-changes.ts';
import type { KnownOrganization, OrganizationImport } from './organization-state.ts';
import { mergeThreeWay, type Merged } from '../three-way.ts';
import type { Undo } from '../undoing.ts';

/** The events of an organization that a source brings first. */
export function importedOrganization({
  org_id,
  team,
  source,
  fields,
  approve,
}: OrganizationImport): OrganizationEvent[] {
  const submission: OrganizationEvent = {
    type: 'OrganizationSubmitted',
    data: { org_id, team, source, fields },
  };
  return approve ? [submission, approval(fields.name)] : [submission];
}

/** The events of an organization that a source brings again. */
export function refreshedOrganization(
  command: OrganizationImport,
  state: KnownOrganization,
): OrganizationEvent[] {
  const { fields } = mergedOrganization(command, state);
  const events = sourceRead(command.fields, fields, state);
  if (state.status === 'inactive' && state.inactiveAtSource)
    events.push(broughtBack(fields.name, state.withdrawn));
  // A reviewer's rejection stays, however often the source offers the organization again.
  const waits = state.status === 'submitted' || events.at(-1)?.type === 'OrganizationResubmitted';
  if (command.approve && waits) events.push(approval(fields.name));
  return events;
}

/** What an import of an organization comes to. One that its source has not named yet becomes what the source says. */
export function mergedOrganization(
  { fields: theirs, take }: OrganizationImport,
  { fields: mine, base = mine }: KnownOrganization,
): Merged<OrganizationFields> {
  const takes = (field: string): boolean => take === 'all' || take?.includes(field) === true;
  return mergeThreeWay({ base, theirs, mine }, (field) => (takes(field) ? 'take' : 'keep'));
}

/** What the source says is recorded, also what is not taken of it. */
function sourceRead(
  theirs: OrganizationFields,
  fields: OrganizationFields,
  state: KnownOrganization,
): OrganizationEvent[] {
  const isRevised = organizationsDiffer(state.fields, fields);
  if (!organizationsDiffer(theirs, fields)) {
    if (isRevised) return [{ type: 'OrganizationRevised', data: { fields, from_source: true } }];
    return organizationsDiffer(state.base ?? state.fields, theirs) ? [readFromSource(theirs)] : [];
  }
  const isNew = state.base === undefined || organizationsDiffer(state.base, theirs);
  return [
    ...(isNew ? [readFromSource(theirs)] : []),
    ...(isRevised ? [{ type: 'OrganizationRevised' as const, data: { fields } }] : []),
  ];
}

/** Takes back what an import did to an organization. */
export function undoneOrganization(
  state: KnownOrganization,
  { status, fields, base }: Undo<OrganizationFields>,
): OrganizationEvent[] {
  const { name } = fields ?? state.fields;
  const events: OrganizationEvent[] = [];
  if (base && (state.base === undefined || organizationsDiffer(state.base, base)))
    events.push(readFromSource(base));
  if (fields && organizationsDiffer(state.fields, fields))
    events.push({ type: 'OrganizationRevised', data: { fields } });
  if (status === 'out') events.push(...takenOut(state, name, 'The import was undone.'));
  if (status === 'back' && state.status === 'inactive' && state.inactiveAtSource)
    events.push(broughtBack(name, state.withdrawn));
  return events;
}

/** Takes out what nobody but its source, or the undoing of an import, has taken out. */
function takenOut({ status }: KnownOrganization, name: string, reason: string): OrganizationEvent[] {
  if (status === 'approved')
    return [{ type: 'OrganizationDeactivated', data: { name, reason, at_source: true } }];
  return status === 'submitted' ? [{ type: 'OrganizationWithdrawn', data: { name, reason } }] : [];
}

/** One that nobody had approved when it was taken back waits for review again. */
export const broughtBack = (name: string, withdrawn = false): OrganizationEvent => ({
  type: withdrawn ? 'OrganizationResubmitted' : 'OrganizationReactivated',
  data: { name },
});

/** Whether an organization is that of a source, or the one of this directory that an export has. */
export function isOfSource(
  { team, source }: KnownOrganization,
  of: Pick<OrganizationImport, 'team' | 'source' | 'own'>,
): boolean {
  if (team !== of.team) return false;
  return of.own === true || (source?.system === of.source.system && source.id === of.source.id);
}

const approval = (name: string): OrganizationEvent => ({ type: 'OrganizationApproved', data: { name } });

const readFromSource = (fields: OrganizationFields): OrganizationEvent => ({
  type: 'OrganizationReadFromSource',
  data: { fields },
});
