import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  complaintsIn,
  folderOf,
  readItems,
  recordsIn,
  rejected,
  version1,
  version3,
  zipOf,
  type Files,
} from './support.ts';

const services = 'id,name\na,A\nb,B\n';
const read = async (files: Files) => {
  const items = await readItems(await folderOf(files));
  return {
    ids: recordsIn(items).map(({ source_id }) => source_id),
    fields: recordsIn(items).map(({ fields }) => fields),
    complaints: complaintsIn(items),
  };
};

describe('a package that is cut off', () => {
  it('within a cell in quotation marks: the rows before it go in', async () => {
    const { ids, complaints } = await read({ 'services.csv': 'id,name\na,A\nb,"B is cut' });
    expect(ids).toEqual(['a']);
    expect(complaints).toEqual([expect.stringMatching(/^problem services\.csv:3 opens a quotation mark/)]);
  });

  it('within a row of another table: the services go in', async () => {
    const { ids, complaints } = await read({
      'services.csv': services,
      'phones.csv': 'id,service_id,number\n1,a,555-0101\n2,b',
    });
    expect(ids).toEqual(['a', 'b']);
    expect(complaints).toEqual(['problem phones.csv:3 has 2 columns where the header has 3']);
  });

  it('at any byte of a zip file: it is refused as a whole', async () => {
    const whole = await zipOf(version3);
    const bytes = await readFile(whole);
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      await writeFile(whole, bytes.subarray(0, Math.floor(bytes.length * part)));
      expect((await rejected(whole)).code).toBe('broken_zip');
    }
  });
});

describe('a text that is too long', () => {
  it('of ten million characters in a service is cut, and the rest goes in', async () => {
    const { ids, fields, complaints } = await read({
      'services.csv': `id,name,description\na,A,"${'word '.repeat(2_000_000)}"\nb,B,\n`,
    });
    expect(ids).toEqual(['a', 'b']);
    expect(fields[0]?.description).toMatch(/^word word .*word…$/);
    expect(complaints).toEqual([
      'warning services.csv:2 the description is longer than 100,000 characters; it was cut',
      'warning services.csv:2 service a: the description is longer than 10000 characters; it was cut',
    ]);
  });

  it('as a name of a million characters is cut', async () => {
    const { fields, complaints } = await read({
      'services.csv': `id,name\na,${'n'.repeat(1_000_000)}\nb,B\n`,
    });
    expect(fields.map(({ name }) => name.length)).toEqual([300, 1]);
    expect(complaints).toHaveLength(2);
  });

  it('as a header of very many columns is read in time', async () => {
    const columns = Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(',');
    const error = await rejected(await folderOf({ 'services.csv': `${columns}\n1\n` }));
    expect(error).toMatchObject({ code: 'invalid_header' });
    expect(error.message.length).toBeLessThan(400);
  });
});

describe('links', () => {
  it('that lead in a circle are followed once around', async () => {
    const { fields } = await read({
      'services.csv': 'id,name,organization_id\na,A,o1\n',
      'organizations.csv': 'id,name,parent_organization_id\no1,One,o2\no2,Two,o1\n',
      'taxonomy_terms.csv': 'id,name,parent_id\nt1,Things,t2\nt2,Other things,t3\nt3,More things,t1\n',
      'attributes.csv': 'id,link_id,taxonomy_term_id\n1,a,t1\n',
    });
    expect(fields).toMatchObject([{ name: 'A', organization: { name: 'One' } }]);
  });

  it('to a row that is not there leave the record as it is without them', async () => {
    const { ids, fields } = await read({
      'services.csv': 'id,name,organization_id\na,A,nobody\n',
      'organizations.csv': 'id,name\no1,One\n',
      'service_at_locations.csv': 'id,service_id,location_id\n1,a,nowhere\n',
      'phones.csv': 'id,service_id,number\n1,nothing,555-0101\n',
    });
    expect(ids).toEqual(['a']);
    expect(fields[0]).not.toHaveProperty('organization');
    expect(fields[0]).not.toHaveProperty('phones');
  });
});

describe('hostile names', () => {
  it('lose what a terminal would obey and what turns a text round', async () => {
    const { fields } = await read({
      'services.csv': 'id,name\na,"Pan\u001b[31mtry\u0007"\nb,"Pay\u202eecivreS"\n',
    });
    expect(fields.map(({ name }) => name)).toEqual(['Pan[31mtry', 'PayecivreS']);
  });

  it('that mean something to JavaScript or a spreadsheet are texts', async () => {
    const { ids, fields } = await read({
      'services.csv':
        'id,name,__proto__,constructor\n__proto__,constructor,x,y\nhasOwnProperty,"=HYPERLINK(""http://x.example"")",,\n',
      'phones.csv': 'id,service_id,number\n__proto__,__proto__,555-0101\n',
    });
    expect(ids).toEqual(['__proto__', 'hasOwnProperty']);
    expect(fields).toMatchObject([
      { name: 'constructor', phones: [{ number: '555-0101' }] },
      { name: '=HYPERLINK("http://x.example")' },
    ]);
  });

  it('of files in a zip file that lead out of it are refused', async () => {
    const path = await zipOf({ 'xx/services.csv': services });
    const bytes = (await readFile(path)).toString('latin1').replaceAll('xx/services.csv', '../services.csv');
    await writeFile(path, Buffer.from(bytes, 'latin1'));
    expect(await rejected(path)).toMatchObject({ code: 'broken_zip' });
  });

  it('NUL characters are left out and reported', async () => {
    const { ids, fields, complaints } = await read({ 'services.csv': 'id,name\na\0,A\0B\nb,B\n' });
    expect([ids, fields[0]?.name]).toEqual([['a', 'b'], 'AB']);
    expect(complaints).toEqual(['warning services.csv:2 holds NUL characters; they are left out']);
  });
});

describe('files as spreadsheets save them', () => {
  it.each([
    [';', 'semicolons'],
    ['\t', 'tabs'],
    ['|', 'vertical bars'],
  ])('separated by %j are read, and reported', async (sign, called) => {
    const { ids, fields, complaints } = await read({
      'services.csv': services.replaceAll(',', sign),
      'phones.csv': `id${sign}service_id${sign}number\n1${sign}a${sign}"555, 0101"\n`,
    });
    expect(ids).toEqual(['a', 'b']);
    expect(fields[0]?.phones).toEqual([{ number: '555, 0101' }]);
    expect(complaints).toEqual([
      `warning phones.csv:1 is separated by ${called}, not by commas; read as such`,
      `warning services.csv:1 is separated by ${called}, not by commas; read as such`,
    ]);
  });

  it('in UTF-16 are read, and refused where they are cut off within a character', async () => {
    const little = Buffer.from('\ufeffid,name\na,Café 😀\n', 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) {
      const { fields, complaints } = await read({ 'services.csv': bytes });
      expect(fields.map(({ name }) => name)).toEqual(['Café 😀']);
      expect(complaints).toEqual([]);
    }
    const error = await rejected(await folderOf({ 'services.csv': little.subarray(0, -5) }));
    expect(error).toMatchObject({ code: 'invalid_encoding' });
    expect(error.message).toMatch(/services\.csv begins as UTF-16/);
  });

  it('with a column twice are read by the first one', async () => {
    const { fields, complaints } = await read({
      'services.csv': 'id,name,name\na,A,B\n',
      'phones.csv': 'id,service_id,number,number\n1,a,555-0101,555-0102\n',
    });
    expect(fields).toMatchObject([{ name: 'A', phones: [{ number: '555-0101' }] }]);
    expect(complaints).toHaveLength(2);
  });
});

it('whatever is in the other tables, every service goes in', async () => {
  const { ids } = await read({ ...version1, 'phones.csv': 'id,service_id,number\n"1,s1,5\n' });
  expect(ids).toEqual(['s1', 's2']);
});
