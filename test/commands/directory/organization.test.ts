import { describe, expect, it } from 'vitest';
import {
  organization,
  type OrganizationCommand,
} from '../../../src/commands/directory/organization-decider.ts';
import type { Refusal } from '../../../src/ground/refusals.ts';
import { orgIdOf } from '../../../src/events/ids.ts';
import type { OrganizationEvent, OrganizationFields } from '../../../src/events/directory/organization.ts';
import { given } from '../../support/decider.ts';

const org_id = orgIdOf(7);
const fields: OrganizationFields = { name: 'Harbor Pantries', description: 'Food for everybody.' };
const named = { name: fields.name };

const submitted: OrganizationEvent = {
  type: 'OrganizationSubmitted',
  data: { org_id, team: 'harbor', fields },
};
const approved: OrganizationEvent = { type: 'OrganizationApproved', data: named };
const rejected: OrganizationEvent = { type: 'OrganizationRejected', data: { ...named, reason: 'Twice.' } };
const deactivated: OrganizationEvent = { type: 'OrganizationDeactivated', data: named };
const reactivated: OrganizationEvent = { type: 'OrganizationReactivated', data: named };
const withdrawn: OrganizationEvent = { type: 'OrganizationWithdrawn', data: named };

const histories = {
  nothing: [],
  submitted: [submitted],
  approved: [submitted, approved],
  rejected: [submitted, rejected],
  inactive: [submitted, approved, deactivated],
} as const satisfies Record<string, readonly OrganizationEvent[]>;
type Status = keyof typeof histories;

const commands = {
  approve: { kind: 'approve' },
  reject: { kind: 'reject', reason: 'Twice.' },
  deactivate: { kind: 'deactivate' },
  reactivate: { kind: 'reactivate' },
} as const satisfies Record<string, OrganizationCommand>;

const matrix: Record<keyof typeof commands, Record<Status, OrganizationEvent | 'nothing' | Refusal>> = {
  approve: {
    nothing: 'not_found',
    submitted: approved,
    approved: 'nothing',
    rejected: approved,
    inactive: 'conflict',
  },
  reject: {
    nothing: 'not_found',
    submitted: rejected,
    approved: 'conflict',
    rejected: 'nothing',
    inactive: 'conflict',
  },
  deactivate: {
    nothing: 'not_found',
    submitted: 'conflict',
    approved: deactivated,
    rejected: 'conflict',
    inactive: 'nothing',
  },
  reactivate: {
    nothing: 'not_found',
    submitted: 'conflict',
    approved: 'nothing',
    rejected: 'conflict',
    inactive: reactivated,
  },
};

const revise = (change: Extract<OrganizationCommand, { kind: 'revise' }>['change']) =>
  ({ kind: 'revise', change }) as const;
const revisedTo = (fields: OrganizationFields): OrganizationEvent => ({
  type: 'OrganizationRevised',
  data: { fields },
});
const person = 'e5e5e5e5-0000-4000-8000-000000000001';

describe('an organization', () => {
  for (const [name, outcomes] of Object.entries(matrix) as [keyof typeof commands, typeof matrix.approve][]) {
    for (const [status, outcome] of Object.entries(outcomes) as [Status, typeof outcomes.nothing][]) {
      it(`${name} when ${status}: ${typeof outcome === 'string' ? outcome : outcome.type}`, () => {
        const when = given(organization, ...histories[status]).when(commands[name]);
        if (outcome === 'nothing') when.thenNothing();
        else if (typeof outcome === 'string') when.thenRefused(outcome);
        else when.then(outcome);
      });
    }
  }

  it('is found by its own team alone', () => {
    for (const command of [...Object.values(commands), revise({ name: 'Other' })])
      given(organization, submitted)
        .when({ ...command, asTeam: 'other' })
        .thenRefused('not_found');
  });

  it('is revised field by field, and null removes', () => {
    given(organization, submitted)
      .when(revise({ description: null, url: 'https://harbor.example' }))
      .then(revisedTo({ name: fields.name, url: 'https://harbor.example' }));
  });

  it('is not revised by what it says already', () => {
    given(organization, submitted)
      .when(revise({ ...fields }))
      .thenNothing();
  });

  it('keeps its name as its source writes it when it is sent back as it is shown', () => {
    const inCapitals = { name: 'HARBOR FOOD PANTRIES' };
    given(organization, {
      type: 'OrganizationSubmitted',
      data: { org_id, team: 'harbor', fields: inCapitals },
    })
      .when(revise({ name: 'Harbor Food Pantries', legal_status: 'nonprofit' }))
      .then(revisedTo({ ...inCapitals, legal_status: 'nonprofit' }));
  });

  it('waits for review again when it comes back after it was withdrawn', () => {
    given(organization, submitted, withdrawn)
      .when(commands.reactivate)
      .then({ type: 'OrganizationResubmitted', data: named });
  });

  it('erases a person whom it names, once', () => {
    const contacts = [{ person, sealed: 'c2VhbGVk' }];
    const naming: OrganizationEvent = {
      type: 'OrganizationSubmitted',
      data: { org_id, team: 'harbor', fields: { ...fields, contacts } },
    };
    const erased: OrganizationEvent = { type: 'OrganizationPersonErased', data: { person } };
    given(organization, naming).when({ kind: 'erase-person', person }).then(erased);
    given(organization, naming, erased).when({ kind: 'erase-person', person }).thenNothing();
    given(organization, submitted).when({ kind: 'erase-person', person }).thenRefused('not_found');
    expect(organization.evolve(organization.evolve(undefined, naming), erased)?.fields.contacts).toEqual([]);
  });
});
