import { afterAll, describe, expect, it } from 'vitest';
import {
  organization,
  type OrganizationCommand,
} from '../../../src/commands/directory/organization-decider.ts';
import {
  eraseOrganizationPerson,
  importOrganization,
  undoOrganization,
} from '../../../src/commands/directory/organization.ts';
import type { OrganizationEvent, OrganizationFields } from '../../../src/events/directory/organization.ts';
import { integerId, orgIdOf } from '../../../src/events/ids.ts';
import { newEvent } from '../../../src/events/new-event.ts';
import { aCommand } from '../../support/context.ts';
import { given } from '../../support/decider.ts';
import { dataFolder } from '../../support/stores.ts';

const org_id = orgIdOf(7);
const source = { system: 'county', id: 'org-1' };
const fields: OrganizationFields = { name: 'Harbor Pantries', description: 'Food for everybody.' };
const corrected = { ...fields, description: 'Food and clothes.' };
const renamed = { ...fields, name: 'Bay Pantries' };
const named = { name: fields.name };
const at = { name: fields.name, reason: 'The import was undone.' };

const submitted: OrganizationEvent = {
  type: 'OrganizationSubmitted',
  data: { org_id, team: 'harbor', source, fields },
};
const approved: OrganizationEvent = { type: 'OrganizationApproved', data: named };
const revised = (to: OrganizationFields): OrganizationEvent => ({
  type: 'OrganizationRevised',
  data: { fields: to },
});
const taken = (to: OrganizationFields): OrganizationEvent => ({
  type: 'OrganizationRevised',
  data: { fields: to, from_source: true },
});
const read = (to: OrganizationFields): OrganizationEvent => ({
  type: 'OrganizationReadFromSource',
  data: { fields: to },
});
const imports = (
  said: OrganizationFields,
  rest: { readonly approve?: boolean; readonly take?: 'all'; readonly own?: true } = {},
): OrganizationCommand => ({
  kind: 'import',
  org_id,
  team: 'harbor',
  source,
  fields: said,
  approve: false,
  ...rest,
});

describe('an organization of a source', () => {
  it('is made, and approved with its import', () => {
    given(organization).when(imports(fields)).then(submitted);
    given(organization)
      .when(imports(fields, { approve: true }))
      .then(submitted, approved);
    given(organization, submitted)
      .when(imports(fields, { approve: true }))
      .then(approved);
  });

  it('is not changed by what its source says again', () => {
    given(organization, submitted, approved)
      .when(imports(fields, { approve: true }))
      .thenNothing();
  });

  it('becomes what its source says now', () => {
    given(organization, submitted).when(imports(renamed)).then(taken(renamed));
  });

  it('keeps what a person has corrected, also when its source changes another field', () => {
    given(organization, submitted, revised(corrected)).when(imports(fields)).thenNothing();
    given(organization, submitted, revised(corrected))
      .when(imports(renamed))
      .then(read(renamed), revised({ ...corrected, name: renamed.name }));
  });

  it('keeps what stands where both have changed it, once, unless that is to be taken', () => {
    const told = { ...fields, description: 'Meals.' };
    const history = [submitted, revised(corrected)];
    given(organization, ...history)
      .when(imports(told))
      .then(read(told));
    given(organization, ...history, read(told))
      .when(imports(told))
      .thenNothing();
    given(organization, ...history)
      .when(imports(told, { take: 'all' }))
      .then(taken(told));
  });

  it('comes back when it was taken out by an undoing, and stays rejected', () => {
    const deactivated: OrganizationEvent = {
      type: 'OrganizationDeactivated',
      data: { ...at, at_source: true },
    };
    given(organization, submitted, approved, deactivated)
      .when(imports(fields))
      .then({ type: 'OrganizationReactivated', data: named });
    given(organization, submitted, { type: 'OrganizationWithdrawn', data: at })
      .when(imports(fields, { approve: true }))
      .then({ type: 'OrganizationResubmitted', data: named }, approved);
    given(organization, submitted, { type: 'OrganizationRejected', data: { ...named, reason: 'Twice.' } })
      .when(imports(fields, { approve: true }))
      .thenNothing();
    given(organization, submitted, approved, { type: 'OrganizationDeactivated', data: named })
      .when(imports(fields, { approve: true }))
      .thenNothing();
  });

  it('is no organization of another source or team', () => {
    given(organization, submitted)
      .when({ ...imports(fields), source: { system: 'city', id: 'org-1' } } as OrganizationCommand)
      .thenRefused('conflict');
    given(organization, submitted)
      .when({ ...imports(fields), team: 'other' } as OrganizationCommand)
      .thenRefused('conflict');
  });

  it('is left as it is by an export of this directory, which revises what came from no source', () => {
    given(organization)
      .when(imports(renamed, { own: true }))
      .thenRefused('conflict');
    given(organization, submitted)
      .when(imports(renamed, { own: true }))
      .thenNothing();
    given(organization, { type: 'OrganizationSubmitted', data: { org_id, team: 'harbor', fields } })
      .when(imports(renamed, { own: true }))
      .then(taken(renamed));
  });

  it('is taken out, or as it was before, when its import is undone', () => {
    const reason = 'The import was undone.';
    const undo = { kind: 'undo', status: 'out', reason } as const;
    given(organization, submitted).when(undo).then({ type: 'OrganizationWithdrawn', data: at });
    given(organization, submitted, approved)
      .when(undo)
      .then({ type: 'OrganizationDeactivated', data: { ...at, at_source: true } });
    given(organization, submitted, taken(renamed))
      .when({ kind: 'undo', fields, base: fields, reason })
      .then(read(fields), revised(fields));
  });
});

describe('the import of an organization', () => {
  const folder = dataFolder();
  const stores = folder.open();
  afterAll(() => folder.dispose());

  const contacts = [{ id: 'c1', name: 'Desk', email: 'desk@harbor.example' }, { name: 'Night desk' }];
  const wish = (id: string, rest: object = {}) => ({
    team: 'harbor',
    source: { system: 'county', id },
    fields: { ...fields, contacts },
    approve: true,
    ...rest,
  });
  const idOf = (id: string, draw = 0) =>
    orgIdOf(integerId('import-organization', 'harbor', 'county', id, String(draw)));

  it('gives it an id that follows from team, source and id there, and changes nothing a second time', async () => {
    const first = await importOrganization(stores, wish('1'), aCommand());
    expect(first).toMatchObject({
      org_id: idOf('1'),
      events: [{ type: 'OrganizationSubmitted' }, { type: 'OrganizationApproved' }],
    });
    expect(JSON.stringify(first.events)).not.toContain('desk@harbor.example');
    const again = await importOrganization(stores, wish('1'), aCommand());
    expect(again).toMatchObject({ org_id: idOf('1'), events: [] });
  });

  it('draws the id again where another organization has the number', async () => {
    const stream = `organization-${idOf('2')}`;
    const taken: OrganizationEvent = {
      type: 'OrganizationSubmitted',
      data: { org_id: idOf('2'), team: 'harbor', fields },
    };
    await stores.store.append(stream, [newEvent(stream, taken, 0, aCommand())], 'no_stream');
    const { org_id } = await importOrganization(stores, wish('2'), aCommand());
    expect(org_id).toBe(idOf('2', 1));
    expect(await importOrganization(stores, wish('2'), aCommand())).toMatchObject({ org_id, events: [] });
  });

  it('leaves out a contact who was erased', async () => {
    const { state, org_id } = await importOrganization(stores, wish('3'), aCommand());
    const person = state?.fields.contacts?.[0]?.person ?? '';
    await eraseOrganizationPerson(stores, org_id, { person }, aCommand());
    const again = await importOrganization(stores, wish('3'), aCommand());
    expect(again.events).toEqual([]);
    expect(again.state?.fields.contacts).toHaveLength(1);
  });

  it('leaves as they stand the fields that an export of this directory does not have', async () => {
    const org_id = idOf('own');
    const stream = `organization-${org_id}`;
    const own: OrganizationEvent = {
      type: 'OrganizationSubmitted',
      data: { org_id, team: 'harbor', fields: { ...fields, legal_status: 'nonprofit' } },
    };
    await stores.store.append(stream, [newEvent(stream, own, 0, aCommand())], 'no_stream');
    const exportedAs = { org_id, covered: ['name', 'description'] };
    const exported = wish('own', { fields: renamed, exportedAs, approve: false });
    const { events } = await importOrganization(stores, exported, aCommand());
    expect(events).toMatchObject([
      { type: 'OrganizationRevised', data: { fields: { ...renamed, legal_status: 'nonprofit' } } },
    ]);
    expect(await importOrganization(stores, exported, aCommand())).toMatchObject({ org_id, events: [] });
  });

  it('is undone where nobody has changed it since', async () => {
    const [first, second] = [
      '11111111-1111-4111-8111-111111111111',
      '22222222-2222-4222-8222-222222222222',
    ] as const;
    const by = (id: string) => aCommand({ correlationId: id, causationId: id });
    const { org_id } = await importOrganization(stores, wish('4'), by(first));
    await importOrganization(stores, wish('4', { fields: { ...renamed, contacts } }), by(second));
    const undo = (id: string) =>
      undoOrganization(
        stores,
        org_id,
        { correlationId: id, causationId: id, reason: 'The import was undone.' },
        aCommand({ correlationId: id }),
      );
    expect(await undo(second)).toMatchObject({ left: [], state: { fields: { name: fields.name } } });
    // Changed and changed back is as the first import left it.
    expect(await undo(first)).toMatchObject({ left: [], state: { status: 'inactive' } });
  });
});
