import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DatapackageError } from '../../src/hsds/errors.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import {
  collect,
  folderOf,
  readItems,
  recordsIn,
  rejected,
  version1,
  version3,
  zipOf,
  type Files,
} from './support.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

const services = 'id,name\ns1,Soup Kitchen\n';

describe('opening a datapackage', () => {
  it('reads the layout of HSDS 1.1 and that of HSDS 3', async () => {
    const first = await openDatapackage(await folderOf(version1));
    const third = await openDatapackage(await folderOf(version3));
    expect([first.version, first.services]).toEqual(['1.1', 2]);
    expect([third.version, third.services]).toEqual(['3', 1]);
  });

  it('reads the same records from a folder, from a zip file and from a folder within a zip file', async () => {
    const deep: Files = Object.fromEntries(
      Object.entries(version3).map(([name, content]) => [`export/2026/csv/${name}`, content]),
    );
    const folder = await readItems(await folderOf(version3));
    expect(recordsIn(folder)).toHaveLength(1);
    expect(await readItems(await zipOf(version3))).toEqual(folder);
    expect(
      await readItems(await zipOf({ ...deep, 'README.txt': 'hello', '__MACOSX/._services.csv': 'x' })),
    ).toEqual(folder);
  });

  it('accepts singular and plural file names in any case', async () => {
    const renamed: Files = {
      'Service.CSV': services,
      'service_at_locations.csv': 'id,service_id,location_id\n1,s1,l1\n',
      'address.csv': 'id,location_id,city\n1,l1,Harborview\n',
      'phone.csv': 'id,service_id,number\n1,s1,555-0101\n',
    };
    const [record] = recordsIn(await readItems(await folderOf(renamed)));
    expect(record?.fields).toMatchObject({
      locations: [{ city: 'Harborview' }],
      phones: [{ number: '555-0101' }],
    });
  });

  it('counts services as rows, not as lines', async () => {
    const content =
      '\ufeffid,name,description\r\ns1,"A ""good"" one","two\r\nlines, ""one"" cell"\r\n\r\ns2,B,\r\n,,\r\ns3,C,x"y';
    const datapackage = await openDatapackage(await folderOf({ 'services.csv': content }));
    expect(datapackage.services).toBe(3);
    expect(recordsIn(await collect(datapackage.records()))).toHaveLength(3);
  });

  it('gives the same records when it is read twice', async () => {
    const datapackage = await openDatapackage(await zipOf(version1));
    const first = await collect(datapackage.records());
    expect(await collect(datapackage.records())).toEqual(first);
    datapackage.close();
  });
});

describe('the proposed name of the source', () => {
  const nameOf = async (files: Files, path?: string) =>
    (await openDatapackage(path ?? (await folderOf(files)))).name;

  it('is the name in datapackage.json, else its id', async () => {
    expect(await nameOf(version3)).toBe('harbor-3');
    expect(
      await nameOf({ 'services.csv': services, 'datapackage.json': '\ufeff{"name":" ","id":"abc"}' }),
    ).toBe('abc');
  });

  it('is the name of the zip file when datapackage.json is missing or no JSON', async () => {
    expect(await nameOf({}, await zipOf({ 'services.csv': services }, 'County 211.zip'))).toBe('County 211');
    const broken = { 'services.csv': services, 'datapackage.json': '../../datapackage.json' };
    expect(await nameOf({}, await zipOf(broken, 'county.zip'))).toBe('county');
  });
});

describe('what is no datapackage is refused in one sentence', () => {
  const expectRefusal = async (path: string, code: string, sentence: RegExp) => {
    const error = await rejected(path);
    expect(error).toBeInstanceOf(DatapackageError);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(sentence);
    expect(error.message).not.toContain('\n');
  };

  it('a path that does not exist', async () => {
    await expectRefusal('/no/such/place', 'not_found', /no file or folder \/no\/such\/place/);
  });

  it('a file that is neither folder nor zip', async () => {
    const folder = await folderOf({ 'services.pdf': services });
    await expectRefusal(join(folder, 'services.pdf'), 'not_a_datapackage', /neither a folder nor a \.zip/);
  });

  it('an empty folder, and one whose other tables are there', async () => {
    await expectRefusal(folderOfThisTest(), 'not_a_datapackage', /no services\.csv/);
    await expectRefusal(
      await folderOf({ 'organizations.csv': 'id\n' }),
      'no_services',
      /has no services\.csv/,
    );
  });

  it('a zip file without services.csv', async () => {
    await expectRefusal(
      await zipOf({ 'a/readme.txt': 'hi' }),
      'not_a_datapackage',
      /directory\.zip .* no services\.csv/,
    );
  });

  it('a file that only calls itself a zip, and one that was cut off', async () => {
    const fake = join(folderOfThisTest(), 'fake.zip');
    await writeFile(fake, 'this is text');
    await expectRefusal(fake, 'broken_zip', /fake\.zip is not a usable zip file/);
    const whole = await zipOf(version1);
    await writeFile(whole, (await readFile(whole)).subarray(0, 400));
    await expectRefusal(whole, 'broken_zip', /not a usable zip file/);
  });

  it('a zip file whose content was damaged', async () => {
    const path = await zipOf({ 'services.csv': services.repeat(200) });
    const bytes = await readFile(path);
    bytes.fill(0x55, 45, 60);
    await writeFile(path, bytes);
    await expectRefusal(path, 'unreadable', /services\.csv cannot be read/);
  });

  it('a zip file that holds two datapackages', async () => {
    const two = await zipOf({ 'a/services.csv': services, 'b/services.csv': services });
    await expectRefusal(two, 'ambiguous', /2 datapackages \(in a, b\)/);
  });

  it('a zip file that would unpack to more than the limit, or has too many entries', async () => {
    const bomb = await zipOf({ 'services.csv': services, 'zeros.csv': Buffer.alloc(100_000) });
    await expect(openDatapackage(bomb, { limits: { bytes: 50_000 } })).rejects.toMatchObject({
      code: 'too_large',
      message: 'directory.zip would unpack to more than 50,000 bytes; it is not read.',
    });
    await expect(openDatapackage(bomb, { limits: { entries: 1 } })).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(openDatapackage(bomb)).resolves.toMatchObject({ services: 1 });
  });

  it('services.csv without a column it needs', async () => {
    const folder = await folderOf({ 'services.csv': 'id,title\n1,Soup\n' });
    await expectRefusal(
      folder,
      'invalid_header',
      /services\.csv has no column "name"; its header is: id, title\./,
    );
  });

  it('an empty services.csv', async () => {
    await expectRefusal(
      await folderOf({ 'services.csv': '' }),
      'invalid_header',
      /services\.csv has no header/,
    );
  });

  it('bytes that are not UTF-8, named by file and line', async () => {
    const latin1 = Buffer.from('id,name\ns1,Good\ns2,Caf\u00e9\ns3,Good\n', 'latin1');
    await expectRefusal(
      await folderOf({ 'services.csv': latin1 }),
      'invalid_encoding',
      /services\.csv is not UTF-8: line 3 /,
    );
    const organizations = Buffer.from('id,name\no1,Caf\u00e9\n', 'latin1');
    const folder = await folderOf({ 'services.csv': services, 'organizations.csv': organizations });
    await expectRefusal(folder, 'invalid_encoding', /organizations\.csv is not UTF-8: line 2 /);
  });

  it('a character cut off by the end of the file', async () => {
    const folder = await folderOf({ 'services.csv': services });
    await appendFile(join(folder, 'services.csv'), Buffer.from('s2,Caf\u00e9').subarray(0, -1));
    await expectRefusal(folder, 'invalid_encoding', /line 3 /);
  });
});

it('characters that fall across the pieces in which a file is read are whole', async () => {
  const name = 'é'.repeat(250);
  const rows = Array.from({ length: 400 }, (_, at) => `s${at},${'x'.repeat(at % 3)}${name}`);
  const records = recordsIn(
    await readItems(await folderOf({ 'services.csv': `id,name\n${rows.join('\n')}\n` })),
  );
  expect(records).toHaveLength(400);
  expect(records.every(({ fields }) => fields.name.endsWith(name))).toBe(true);
});
