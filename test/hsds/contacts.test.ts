import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Contact } from '../../src/events/directory/contact.ts';
import { svcIdOf } from '../../src/events/ids.ts';
import { entityId } from '../../src/hsds/export/ids.ts';
import { serviceOf } from '../../src/hsds/export/service.ts';
import { writePackage } from '../../src/hsds/export/write-package.ts';
import { problemsBy } from './published-schemas.ts';
import { complaintsIn, fieldsOf, folderOf, readItems, recordsIn, type Files } from './support.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

const ana = { name: 'Ana Quay', title: 'Head', department: 'Intake', email: 'ana@example.org' };

const source = (contacts: string, phones = '', services = 's1,o1,Soup\n'): Files => ({
  'organizations.csv': 'id,name\no1,Harbor Aid\n',
  'services.csv': `id,organization_id,name\n${services}`,
  'service_at_location.csv': 'id,service_id,location_id\nsl1,s1,l1\n',
  'locations.csv': 'id,name\nl1,Hall\n',
  'contacts.csv': `id,service_id,service_at_location_id,location_id,organization_id,name,title,department,email\n${contacts}`,
  'phones.csv': `id,service_id,contact_id,number,extension\n${phones}`,
});

const withoutIds = (contacts: readonly Contact[] = []) => contacts.map(({ id: _, ...said }) => said);

describe('the contact persons of a source', () => {
  it('are those of the service and of its places, in the order of their ids, with their phones', async () => {
    const fields = await fieldsOf(
      source(
        'c2,,sl1,,,Ben Shore,,,\nc1,s1,,,,Ana Quay,Head,Intake,ana@example.org\nc3,,,l1,,,Porter,,\nc4,,,,o1,Cora Bay,,,\n',
        'p1,,c1,555-0177,9\np2,s1,,555-0100,\n',
      ),
    );
    expect(withoutIds(fields.contacts)).toEqual([
      { ...ana, phones: [{ number: '555-0177', extension: '9' }] },
      { name: 'Ben Shore' },
      { title: 'Porter' },
    ]);
    expect(fields.phones).toEqual([{ number: '555-0100' }]);
  });

  it('have the same id in every file, whatever else is said of them', async () => {
    const first = await fieldsOf(
      source('c1,s1,,,,Ana Quay,Head,Intake,ana@example.org\nc2,s1,,,,Ben Shore,,,\n'),
    );
    const second = await fieldsOf(source('c1,s1,,,,Ana Shore,,,\n'));
    expect(second.contacts?.[0]?.id).toBe(first.contacts?.[0]?.id);
    expect(first.contacts?.[1]?.id).not.toBe(first.contacts?.[0]?.id);
    // What we export has the places of contacts for ids.
    const place = entityId(svcIdOf(7), 'contact', 0);
    expect((await fieldsOf(source(`${place},s1,,,,Ana Quay,,,\n`))).contacts).toEqual([{ name: 'Ana Quay' }]);
  });

  it('are the organization’s where the service has none', async () => {
    const fields = await fieldsOf(source('c4,,,,o1,Cora Bay,,,\n'));
    expect(withoutIds(fields.contacts)).toEqual([{ name: 'Cora Bay' }]);
  });

  it('are reported without a word of what is said of them', async () => {
    const long = 'x'.repeat(301);
    const items = await readItems(
      await folderOf(source(`c1,s1,,,,Ana Quay,,,ana at example\nc2,s1,,,,Ben Shore,${long},,\n`)),
    );
    const complaints = complaintsIn(items);
    expect(complaints).toEqual([
      'warning contacts.csv:2 the email of the contact is not an email address; left out',
      expect.stringContaining('longer than 300 characters; it was cut') as string,
    ]);
    expect(complaints.join()).not.toMatch(/ana|ben|xx/i);
    expect(recordsIn(items)[0]?.fields.contacts).toMatchObject([{ name: 'Ana Quay' }, { name: 'Ben Shore' }]);
  });

  it('come back from an export as they went into it', async () => {
    const contacts = [
      {
        ...ana,
        phones: [
          { number: '305-555-0177', extension: '9', note: 'Ring twice', languages: ['Kreyòl'] },
          { number: '305-555-0178', extension: 'front', type: 'fax' },
        ],
      },
      { name: 'Ben Shore', phones: [{ number: '305-555-0177' }] },
      // No address by JSON Schema, and one by ours.
      { email: 'a..b@localhost' },
    ] satisfies Contact[];
    const exported = serviceOf({
      svc_id: svcIdOf(7),
      fields: { name: 'Soup', category: 'food', contacts, phones: [{ number: '305-555-0100' }] },
      listed: true,
    });
    expect(problemsBy('service.json')(exported)).toEqual([]);
    const folder = folderOfThisTest();
    await writePackage(folder, 'harbour', Readable.from([exported]));
    const [record] = recordsIn(await readItems(folder));
    expect(record?.fields).toMatchObject({ contacts, phones: [{ number: '305-555-0100' }] });
    const json = await folderOf({ 'services.json': JSON.stringify([exported]) });
    expect(recordsIn(await readItems(json))[0]?.fields).toEqual(record?.fields);
  });
});
