import { describe, expect, it } from 'vitest';
import type { OrganizationEvent, OrganizationFields } from '../../../src/events/directory/organization.ts';
import { uuidOfNamed } from '../../../src/events/directory/organization-fields.ts';
import { orgIdOf } from '../../../src/events/ids.ts';
import {
  organizationFieldsIn,
  organizations,
  shownOrganization,
} from '../../../src/projections/directory/organizations.ts';
import { at, given } from '../../support/fold.ts';

const org_id = orgIdOf(7);
const stream = `organization-${org_id}`;
const person = 'e5e5e5e5-0000-4000-8000-000000000001';
const contacts = [{ person, sealed: 'c2VhbGVk' }];
const fields: OrganizationFields = {
  name: 'ÓSCAR SHELTER NETWORK',
  url: 'https://harbor.example',
  email: 'office@harbor.example',
  locations: [{ city: 'Miami', street: '1 Hidden Way', confidential: true }],
  contacts,
};
const submitted: OrganizationEvent = {
  type: 'OrganizationSubmitted',
  data: { org_id, team: 'harbor', source: { system: 'city', id: '9' }, fields },
};
const approved: OrganizationEvent = {
  type: 'OrganizationApproved',
  data: { name: fields.name, note: 'Checked.' },
};

const after = (...events: OrganizationEvent[]) => {
  const doc = given(organizations, ...events.map((event) => [stream, event] as const)).get(org_id);
  if (!doc) throw new Error('There is no document.');
  return doc;
};

describe('the read model of organizations', () => {
  it('shows one that waits, in the order of names and under the UUID that it had before', () => {
    expect(after(submitted)).toMatchObject({
      status: 'submitted',
      listed: 0,
      name: 'Óscar Shelter Network',
      name_key: 'oscar shelter network',
      named_uuid: uuidOfNamed({ name: 'Óscar Shelter Network', url: 'https://harbor.example' }),
      source: { system: 'city', id: '9' },
      submitted_at: at(0),
    });
  });

  it('is public while it is approved alone', () => {
    const out: OrganizationEvent = {
      type: 'OrganizationDeactivated',
      data: { name: fields.name, reason: 'Closed.' },
    };
    expect(after(submitted, approved)).toMatchObject({
      status: 'approved',
      listed: 1,
      review_note: 'Checked.',
    });
    expect(after(submitted, approved, out)).toMatchObject({
      status: 'inactive',
      listed: 0,
      review_note: 'Closed.',
    });
    const withdrawn: OrganizationEvent = { type: 'OrganizationWithdrawn', data: { name: fields.name } };
    const again: OrganizationEvent = { type: 'OrganizationResubmitted', data: { name: fields.name } };
    expect(after(submitted, withdrawn)).toMatchObject({ status: 'inactive', listed: 0 });
    expect(after(submitted, withdrawn, again)).toMatchObject({ status: 'submitted', listed: 0 });
  });

  it('shows the public neither the address of a confidential location nor what is for teams', () => {
    expect(organizationFieldsIn(after(submitted), 'developer')).toEqual({
      name: 'Óscar Shelter Network',
      url: 'https://harbor.example',
      locations: [{ city: 'Miami', confidential: true }],
    });
    expect(organizationFieldsIn(after(submitted), 'team')).toMatchObject({ email: 'office@harbor.example' });
    expect(organizationFieldsIn(after(submitted), 'stored').locations).toEqual(fields.locations);
  });

  it('shows what is unknown as null or an empty list', () => {
    const little: OrganizationEvent = {
      type: 'OrganizationSubmitted',
      data: { org_id, team: 'harbor', fields: { name: 'Harbor' } },
    };
    expect(shownOrganization(after(little), 'developer')).toEqual({
      name: 'Harbor',
      description: null,
      url: null,
      phones: [],
      locations: [],
    });
  });

  it('keeps the UUID that it had before when it is renamed, and nothing of an erased person', () => {
    const renamed: OrganizationEvent = {
      type: 'OrganizationRevised',
      data: { fields: { name: 'Harbor', contacts } },
    };
    const erased: OrganizationEvent = { type: 'OrganizationPersonErased', data: { person } };
    const doc = after(submitted, renamed);
    expect(doc).toMatchObject({ name: 'Harbor', named_uuid: after(submitted).named_uuid });
    expect(doc.people).toContain(person);
    expect(doc.fields).not.toHaveProperty('contacts');
    expect(after(submitted, renamed, erased).people).not.toContain(person);
  });

  it('leaves what stands as it is when only the source was read', () => {
    const read: OrganizationEvent = {
      type: 'OrganizationReadFromSource',
      data: { fields: { name: 'Other' } },
    };
    expect(after(submitted, read).fields).toEqual(after(submitted).fields);
  });
});
