import { z } from 'zod';
import { organizationChange } from '../../commands/directory/organization-decider.ts';
import { noOrganization, type OrganizationState } from '../../commands/directory/organization-decider.ts';
import {
  commandOrganization,
  eraseOrganizationPerson,
  submitOrganization,
  type OrganizationOutcome,
} from '../../commands/directory/organization.ts';
import { openPeople } from '../../commands/directory/sealed-people.ts';
import { unsealedOrganizationFields, orgId } from '../../events/directory/organization-fields.ts';
import type { SealedPeople, UnsealedPeople } from '../../events/directory/people.ts';
import { defined } from '../../ground/defined.ts';
import { organizations, type OrganizationDocument } from '../../projections/directory/organizations.ts';
import { action, type ActionParts } from '../action.ts';
import type { Listing } from '../listing.ts';
import { byTeam, decisions, reviewed, words } from './records.ts';
import { erasedWithAddresses } from './person-erasure.ts';

/** An organization after a command. */
export interface CommandedOrganization {
  readonly organization: NonNullable<OrganizationState>;
  /** The command was no repetition of what it says already. */
  readonly changed: boolean;
}

/** An organization with what it says about persons opened. */
export type OpenedOrganization = Omit<OrganizationDocument, 'people'> & Pick<UnsealedPeople, 'contacts'>;

/** The organizations of a team, in the order of their names. */
export const organizationList: Listing<OrganizationDocument, OpenedOrganization> = {
  name: 'organizations',
  ...reviewed,
  readModel: organizations,
  orderBy: ['name_key', 'org_id'],
  id: orgId,
  none: noOrganization,
  async open({ personal }, docs) {
    const people = await openPeople(
      personal,
      docs.map(({ people = '{}' }) => JSON.parse(people) as SealedPeople),
    );
    return docs.map(({ people: _, ...doc }, place) => ({ ...doc, ...people[place] }));
  },
};

/** Adds an organization to the directory of the team. It waits for review. */
export const add = action({
  name: 'directory.add-organization',
  ...reviewed,
  input: unsealedOrganizationFields,
  once: true,
  async run(parts, fields, { who, context }) {
    if (who.team === undefined) throw noOrganization();
    return commanded(await submitOrganization(parts, { team: who.team, fields }, context));
  },
});

/** Changes fields of an organization. `seen`: the position of the newest event that whoever changes it has seen. */
export const revise = action({
  name: 'directory.revise-organization',
  ...reviewed,
  input: organizationChange.extend({ org_id: orgId, seen: z.bigint().optional() }),
  once: true,
  async run(parts, { org_id, seen, ...change }, { who, context }) {
    const command = { kind: 'revise', change, unchangedSince: seen, ...byTeam(who) } as const;
    return commanded(await commandOrganization(parts, org_id, command, context));
  },
});

/** Decides about an organization. `note` stands beside an approval, `reason` beside a rejection or a deactivation. */
export const decide = action({
  name: 'directory.decide-organization',
  ...reviewed,
  input: z
    .object({
      org_id: orgId,
      decision: z.enum(decisions),
      note: words.optional(),
      reason: words.optional(),
    })
    .refine(({ decision, reason }) => decision !== 'reject' || reason !== undefined, {
      path: ['reason'],
      message: 'say why it is rejected',
    }),
  async run(parts, { org_id, decision, note, reason }, { who, context }) {
    const command =
      decision === 'reject'
        ? { kind: decision, reason: reason ?? '' }
        : { kind: decision, ...defined({ note, reason }) };
    return commanded(await commandOrganization(parts, org_id, { ...command, ...byTeam(who) }, context));
  },
});

/** Erases what an organization has ever said about a person, for ever, and what its team keeps under their addresses. `id`: the person. */
export const erasePerson = action({
  name: 'directory.erase-organization-person',
  ...reviewed,
  input: z.object({ org_id: orgId, id: z.string() }),
  async run(parts: ActionParts, { org_id, id: person }, { who, context, another }) {
    const about = { organization: org_id, person, by: byTeam(who) };
    const { outcome, changes } = await erasedWithAddresses(parts, about, another, () =>
      eraseOrganizationPerson(parts, org_id, { person, ...about.by }, context),
    );
    return { ...commanded(outcome), changes };
  },
});

const commanded = (outcome: OrganizationOutcome) => ({
  changes: outcome,
  value: (): CommandedOrganization => {
    if (!outcome.state) throw new Error('An organization has no state after a command to it.');
    return { organization: outcome.state, changed: outcome.events.length > 0 };
  },
});
