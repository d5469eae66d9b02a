import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandOrganization } from '../../src/commands/directory/organization.ts';
import { importResource } from '../../src/commands/directory/import-record.ts';
import { commandResource } from '../../src/commands/directory/resource.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { organizations } from '../../src/projections/directory/organizations.ts';
import { resources } from '../../src/projections/directory/resources.ts';
import { aCommand } from '../support/context.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

function written(name: string, files: Readonly<Record<string, string>>): string {
  const at = join(folder.path, name);
  mkdirSync(at, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text);
  return at;
}

const county = (description: string) => ({
  'datapackage.json': JSON.stringify({ name: 'county' }),
  'organizations.csv': `id,name,description,email,website\no1,Harbor House,${description},info@harbor.example,https://harbor.example\no2,Bay Pantry,Food.,,\n`,
  'services.csv':
    'id,organization_id,name,description,email\ns1,o1,Beds,A bed for a night.,beds@harbor.example\ns2,o1,Showers,Warm showers.,\ns3,o2,Meals,Warm meals.,meals@bay.example\n',
});

interface Report {
  readonly import: string;
}

/** What the read models show of organizations and of the services of each. */
async function shown(data: string) {
  const system = await openSystem(readConfig({ DATA_DIR: data }));
  try {
    const found = await system.documents
      .collection(organizations.collection)
      .page({ where: { team: 'commons' }, orderBy: ['name_key', 'org_id'], limit: 100 });
    const records = await system.documents
      .collection(resources.collection)
      .page({ orderBy: ['team', 'number'], limit: 100 });
    return Object.fromEntries(
      found.map(({ org_id, status, fields }) => [
        fields.name,
        { status, ...fields, services: records.filter((each) => each.organization === org_id).length },
      ]),
    );
  } finally {
    await system.close();
  }
}

const harbor = { name: 'Harbor House', email: 'info@harbor.example', url: 'https://harbor.example' };

test('a package with two organizations makes two records, which its services name; the second time nothing changes, and an undo takes them out', async () => {
  const data = join(folder.path, 'data');
  const first = await runCommand(data, 'import', written('one', county('Shelter.')), '--approve');
  expect(first).toMatchObject({ new: 3, organizations: { new: 2, revised: 0, unchanged: 0 } });
  expect(await shown(data)).toMatchObject({
    'Harbor House': { ...harbor, status: 'approved', description: 'Shelter.', services: 2 },
    'Bay Pantry': { status: 'approved', description: 'Food.', services: 1 },
  });

  const again = await runCommand(data, 'import', written('one', county('Shelter.')), '--approve');
  expect(again).toMatchObject({
    new: 0,
    revised: 0,
    unchanged: 3,
    organizations: { new: 0, revised: 0, unchanged: 2 },
  });

  const changed = written('two', county('Shelter for all.'));
  const compared = await runCommand(data, 'import', changed, '--dry-run');
  expect(compared).toMatchObject({ organizations: { new: 0, revised: 1, unchanged: 1 } });
  expect(await shown(data)).toMatchObject({ 'Harbor House': { description: 'Shelter.' } });
  const second = (await runCommand(data, 'import', changed, '--approve')) as Report;
  expect(second).toMatchObject({ organizations: { new: 0, revised: 1, unchanged: 1 } });
  expect(await shown(data)).toMatchObject({ 'Harbor House': { description: 'Shelter for all.' } });

  expect(await runCommand(data, 'imports', 'undo', second.import, '--team', 'commons')).toMatchObject({
    organizations: { taken_out: 0, revised: 1, returned: 0, left: 0 },
  });
  expect(await shown(data)).toMatchObject({ 'Harbor House': { description: 'Shelter.' } });
  const { import: made } = first as Report;
  expect(await runCommand(data, 'imports', 'undo', made, '--team', 'commons')).toMatchObject({
    taken_out: 3,
    organizations: { taken_out: 2, revised: 0, returned: 0, left: 0 },
  });
}, 60_000);

test('an export has what the directory says of organizations, and says the same when it is imported elsewhere', async () => {
  const [data, elsewhere] = [join(folder.path, 'here'), join(folder.path, 'elsewhere')];
  await runCommand(data, 'import', written('package', county('Shelter.')), '--approve');
  for (const [format, name] of [
    ['hsds-csv', 'csv'],
    ['hsds-json', 'services.json'],
  ] as const) {
    const out = join(folder.path, name);
    await runCommand(data, 'export', '--format', format, '--out', out);
    const into = `${elsewhere}-${name}`;
    expect(await runCommand(into, 'import', out, '--approve')).toMatchObject({
      new: 3,
      organizations: { new: 2, revised: 0, unchanged: 0 },
    });
    expect(await shown(into)).toEqual(await shown(data));
    expect(await runCommand(into, 'import', out, '--approve')).toMatchObject({
      unchanged: 3,
      organizations: { new: 0, revised: 0, unchanged: 2 },
    });
  }
}, 60_000);

test('a record that was imported before organizations had records names its organization after the next import, and then nothing changes', async () => {
  const data = join(folder.path, 'before');
  const path = written('before-package', county('Shelter.'));
  const { import: first } = (await runCommand(data, 'import', path, '--approve')) as Report;
  await runCommand(data, 'imports', 'undo', first, '--team', 'commons');
  const system = await openSystem(readConfig({ DATA_DIR: data }));
  // As it was imported then: without the id of the organization.
  const { events } = await importResource(
    system,
    {
      team: 'commons',
      source: { system: 'county', id: 's3' },
      fields: {
        name: 'Meals',
        organization: { name: 'Bay Pantry' },
        category: 'food',
        description: 'Warm meals.',
        email: 'meals@bay.example',
      },
      active: true,
      approve: true,
    },
    aCommand(),
  );
  expect(events).toContainEqual(expect.objectContaining({ type: 'ResourceRevised' }));
  await system.close();
  await runCommand(data, 'import', path, '--approve');
  expect(await shown(data)).toMatchObject({ 'Bay Pantry': { status: 'approved', services: 1 } });
  expect(await runCommand(data, 'import', path, '--approve')).toMatchObject({
    new: 0,
    revised: 0,
    unchanged: 3,
    conflicts: 0,
    organizations: { new: 0, revised: 0, unchanged: 2 },
  });
}, 60_000);

const csv = (organizations: readonly string[], services: readonly string[]) => ({
  'datapackage.json': JSON.stringify({ name: 'county' }),
  'organizations.csv': `id,name,description\n${organizations.join('\n')}\n`,
  'services.csv': `id,organization_id,name,description\n${services.join('\n')}\n`,
});
const many = Array.from({ length: 8 }, (_, at) => `m${at},Organization ${at},Aid.`);
const theirs = Array.from({ length: 8 }, (_, at) => `t${at},m${at},Service ${at},Help.`);

test('an organization that its source no longer has is listed, taken out when that is asked for, comes back with the source, and an undo brings it back', async () => {
  const data = join(folder.path, 'gone');
  const whole = written(
    'gone-whole',
    csv([...many, 'o1,Harbor House,Shelter.'], [...theirs, 's1,o1,Beds,A bed.']),
  );
  const without = written('gone-without', csv(many, theirs));
  await runCommand(data, 'import', whole, '--approve');
  const compared = await runCommand(data, 'import', without, '--dry-run');
  expect(compared).toMatchObject({
    organizations: { missing: 1, taken_out: 0 },
    missing_organizations: [{ source_id: 'o1', name: 'Harbor House' }],
  });
  await runCommand(data, 'import', without);
  expect(await shown(data)).toMatchObject({ 'Harbor House': { status: 'approved' } });

  const removed = await runCommand(data, 'import', without, '--remove-missing');
  expect(removed).toMatchObject({ deactivated: 1, organizations: { missing: 1, taken_out: 1 } });
  expect(await shown(data)).toMatchObject({ 'Harbor House': { status: 'inactive' } });

  const undone = await runCommand(data, 'imports', 'undo', (removed as Report).import, '--team', 'commons');
  expect(undone).toMatchObject({ organizations: { returned: 1 } });
  expect(await shown(data)).toMatchObject({ 'Harbor House': { status: 'approved' } });

  await runCommand(data, 'import', without, '--remove-missing');
  await runCommand(data, 'import', whole, '--approve');
  expect(await shown(data)).toMatchObject({ 'Harbor House': { status: 'approved' } });
}, 60_000);

test('an organization that a public record names stays although its source no longer has it', async () => {
  const data = join(folder.path, 'named');
  const whole = csv([...many, 'o1,Harbor House,Shelter.'], [...theirs, 's1,o1,Beds,A bed.']);
  await runCommand(data, 'import', written('named-whole', whole), '--approve');
  const system = await openSystem(readConfig({ DATA_DIR: data }));
  const records = await system.documents
    .collection(resources.collection)
    .page({ orderBy: ['team', 'number'], limit: 100 });
  const ofSource = (id: string) => records.find(({ source }) => source?.id === id);
  const organization = ofSource('s1')?.organization;
  // Another record, which stays in the source, was given the organization by a person.
  const svcId = ofSource('t1')?.svc_id ?? '';
  const change = { organization: { id: organization ?? '', name: 'Harbor House' } };
  await commandResource(system, svcId, { kind: 'revise', change }, aCommand());
  await system.close();
  const removed = await runCommand(
    data,
    'import',
    written('named-without', csv(many, theirs)),
    '--remove-missing',
  );
  expect(removed).toMatchObject({ deactivated: 1, organizations: { missing: 1, taken_out: 0 } });
  expect(await shown(data)).toMatchObject({ 'Harbor House': { status: 'approved', services: 2 } });
}, 60_000);

test('what a source and a person have both changed of an organization is a conflict, which is kept or taken by field', async () => {
  const data = join(folder.path, 'conflict');
  const package_ = (name: string, description: string) =>
    written(name, csv([...many, `o1,Harbor House,${description}`], theirs));
  await runCommand(data, 'import', package_('conflict-1', 'Shelter.'), '--approve');
  const system = await openSystem(readConfig({ DATA_DIR: data }));
  const [harbor] = (
    await system.documents
      .collection(organizations.collection)
      .page({ where: { team: 'commons' }, orderBy: ['name_key', 'org_id'], limit: 100 })
  ).filter(({ name }) => name === 'Harbor House');
  const change = { description: 'A house by the harbor.' };
  await commandOrganization(system, harbor?.org_id ?? '', { kind: 'revise', change }, aCommand());
  await system.close();

  const second = package_('conflict-2', 'Shelter for all.');
  const conflict = {
    field: 'description',
    before: 'Shelter.',
    theirs: 'Shelter for all.',
    mine: change.description,
  };
  expect(await runCommand(data, 'import', second, '--dry-run')).toMatchObject({
    conflicts: 1,
    conflict_records: [
      { svc_id: harbor?.org_id, source_id: 'organization:o1', fields: [{ ...conflict, resolved: 'kept' }] },
    ],
  });
  await runCommand(data, 'import', second);
  expect(await shown(data)).toMatchObject({ 'Harbor House': change });
  expect(await runCommand(data, 'import', second)).toMatchObject({ conflicts: 0 });

  const third = package_('conflict-3', 'Shelter and meals.');
  await runCommand(data, 'import', third, '--take', 'organization:o1:description');
  expect(await shown(data)).toMatchObject({ 'Harbor House': { description: 'Shelter and meals.' } });
}, 60_000);
