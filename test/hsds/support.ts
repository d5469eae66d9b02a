import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { DatapackageError } from '../../src/hsds/errors.ts';
import type { HsdsItem, HsdsRecord } from '../../src/hsds/item.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A real folder with these files; names may hold folders. */
export async function folderOf(files: Files): Promise<string> {
  const folder = folderOfThisTest();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

/** A real zip file with these entries. */
export async function zipOf(files: Files, name = 'directory.zip'): Promise<string> {
  const path = join(folderOfThisTest(), name);
  const zip = new ZipFile();
  for (const [entry, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), entry);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

export async function collect(items: AsyncIterable<HsdsItem>): Promise<HsdsItem[]> {
  const collected: HsdsItem[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

export async function readItems(path: string): Promise<HsdsItem[]> {
  const datapackage = await openDatapackage(path);
  try {
    return await collect(datapackage.records());
  } finally {
    datapackage.close();
  }
}

export const recordsIn = (items: readonly HsdsItem[]): HsdsRecord[] =>
  items.filter((item) => item.kind === 'record');

export const complaintsIn = (items: readonly HsdsItem[]): string[] =>
  items
    .filter((item) => item.kind === 'problem' || item.kind === 'warning')
    .map(({ kind, file, line, reason }) => `${kind} ${file}:${line} ${reason}`);

export const records = async (files: Files): Promise<HsdsRecord[]> =>
  recordsIn(await readItems(await folderOf(files)));

/** The fields of the only service in these files. */
export async function fieldsOf(files: Files): Promise<HsdsRecord['fields']> {
  const [record] = await records(files);
  if (!record) throw new Error('no record was read');
  return record.fields;
}

export const rejected = async (path: string): Promise<DatapackageError> =>
  readItems(path).then(
    () => {
      throw new Error('the datapackage was read');
    },
    (error: unknown) => error as DatapackageError,
  );

/** A small directory in the layout of HSDS 1.1. */
export const version1: Files = {
  'organizations.csv': 'id,name,url,email\no1,Harbor Aid,www.harbor.example.org,office@harbor.example.org\n',
  'services.csv':
    'id,organization_id,name,description,url,email,status\ns1,o1,SOUP KITCHEN,Warm soup.,,,active\ns2,o1,Legal Desk,,http://law.example.org,law@example.org,\n',
  'locations.csv': 'id,organization_id,name\nl1,o1,Hall\n',
  'services_at_location.csv': 'id,service_id,location_id\n1,s1,l1\n',
  'physical_addresses.csv':
    'id,location_id,address_1,address_2,city,state_province,postal_code,country\n1,l1,1 Quay,Floor 2,Harborview,HV ,00001,US\n',
  'postal_addresses.csv':
    'id,location_id,address_1,city,state_province,postal_code\n0,l1,PO Box 9,Elsewhere,XX,00009\n',
  'phones.csv':
    'id,service_id,location_id,organization_id,number,extension,type\n1,s1,l1,,555-0101,7,\n2,,,o1,555-0102,,\n',
  'regular_schedules.csv':
    'id,service_id,weekday,opens_at,closes_at,original_text\n,s1,Tuesday,7:30am,6:00pm,\n,s1,Monday,7:30am,6:00pm,\n,s1,Wednesday,7:30am,6:00pm,\n,s1,Saturday,9:00am,12:00pm,\n',
  'languages.csv': 'id,service_id,language\n1,s1,Spanish\n2,s1,English\n3,s1,english\n',
  'eligibility.csv': 'id,service_id,eligibility\n1,s1,Everyone\n',
  'taxonomy.csv':
    'id,name,parent_id,parent_name,taxonomy_facet\nBD-5000.8300,Soup Kitchens,B,Basic Needs,Service\n',
  'services_taxonomy.csv': 'id,service_id,taxonomy_id\n1,s1,BD-5000.8300\n',
};

/** The same service in the layout of HSDS 3. */
export const version3: Files = {
  'datapackage.json': '{"name":"harbor-3"}',
  'organizations.csv':
    'id,name,website,email\no1,Harbor Aid,https://harbor.example.org,office@harbor.example.org\n',
  'services.csv':
    'id,organization_id,name,description,status,eligibility_description,minimum_age,maximum_age\ns1,o1,SOUP KITCHEN,Warm soup.,active,Everyone,18,\n',
  'service_at_location.csv': 'id,service_id,location_id\n1,s1,l1\n',
  'addresses.csv':
    'id,location_id,address_1,address_2,city,state_province,postal_code,address_type\n0,l1,PO Box 9,,Elsewhere,XX,00009,postal\n1,l1,1 Quay,Floor 2,Harborview,HV,00001,physical\n',
  'phones.csv':
    'id,service_id,location_id,number,extension,type\n0,s1,,555-0109,,fax\n1,s1,,"""+1 555 0101""",7,voice\n',
  'schedules.csv':
    'id,service_id,freq,interval,byday,opens_at,closes_at,description\n1,s1,WEEKLY,1,"MO,TU,WE",07:30:00,18:00:00,\n2,s1,WEEKLY,,SA,09:00,12:00,\n',
  'languages.csv': 'id,service_id,name,code\n1,s1,Spanish,es\n2,s1,,en\n',
  'taxonomy_terms.csv': 'id,code,name,parent_id,taxonomy\nt1,,Free Meals,,Open Eligibility\n',
  'attributes.csv': 'id,link_id,taxonomy_term_id,link_type,link_entity\n1,s1,t1,taxonomy_term,service\n',
};
