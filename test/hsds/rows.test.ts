import { describe, expect, it } from 'vitest';
import { complaintsIn, folderOf, readItems, recordsIn, version1 } from './support.ts';

const read = async (services: string, others: Record<string, string> = {}) => {
  const items = await readItems(await folderOf({ 'services.csv': services, ...others }));
  return {
    names: recordsIn(items).map(({ fields }) => fields.name),
    lines: recordsIn(items).map(({ line }) => line),
    complaints: complaintsIn(items),
  };
};

describe('a bad row is reported by file and line, and the rest goes in', () => {
  it('too few and too many columns', async () => {
    const { names, complaints } = await read('id,name,url\n1,A,\n2,B\n3,C,,extra\n4,D,,\n5,E,,,,\n');
    expect(names).toEqual(['A', 'D', 'E']);
    expect(complaints).toEqual([
      'problem services.csv:3 has 2 columns where the header has 3',
      'problem services.csv:4 has 4 columns where the header has 3',
    ]);
  });

  it('a row without an id or a name', async () => {
    const { names, complaints } = await read('id,name\n,A\n2, \n3,C\n');
    expect(names).toEqual(['C']);
    expect(complaints).toEqual([
      'problem services.csv:2 has no id',
      'problem services.csv:3 service 2 has no name',
    ]);
  });

  it('an id that is there already', async () => {
    const { names, complaints } = await read('id,name\n1,First\n2,Other\n1,Second\n');
    expect(names).toEqual(['First', 'Other']);
    expect(complaints).toEqual(['problem services.csv:4 service 1 is already on line 2']);
  });

  it('a row of another table', async () => {
    const { names, complaints } = await read('id,name\n1,A\n', {
      'phones.csv': 'id,service_id,number\n1,1\n',
    });
    expect(names).toEqual(['A']);
    expect(complaints).toEqual(['problem phones.csv:2 has 2 columns where the header has 3']);
  });

  it('a quotation mark that is never closed', async () => {
    const { names, complaints } = await read('id,name\n1,A\n2,"B\n3,C\n');
    expect(names).toEqual(['A']);
    expect(complaints).toEqual([
      'problem services.csv:3 opens a quotation mark that is never closed; the rest of the file is left out',
    ]);
  });

  it('a row without end', async () => {
    const { names, complaints } = await read(`id,name\n1,A\n2,"${'b'.repeat(17 * 1024 * 1024)}"\n`);
    expect(names).toEqual(['A']);
    expect(complaints).toEqual([
      expect.stringMatching(/^problem services\.csv:3 is longer than 16,777,216 bytes/),
    ]);
  });
});

describe('what spreadsheets and exports write is understood', () => {
  it('a byte order mark, Windows line ends, line breaks within cells, blank lines and rows', async () => {
    const { names, lines, complaints } = await read(
      '\ufeff"ID", Name ,description\r\n1,A,"one\r\ntwo\r\nthree"\r\n\r\n,,\r\n2,B,\r\n3,C,"x\ny"\r\n4,D,\r\n',
    );
    expect(names).toEqual(['A', 'B', 'C', 'D']);
    expect(lines).toEqual([2, 7, 8, 10]);
    expect(complaints).toEqual([]);
  });

  it('lines that end in a carriage return only, and mixed line ends', async () => {
    expect((await read('id,name\r1,A\r2,B\r')).names).toEqual(['A', 'B']);
    expect((await read('id,name\r\n1,A\n2,B\r\n')).names).toEqual(['A', 'B']);
  });

  it('quotation marks within unquoted cells', async () => {
    expect((await read('id,name\n1,The "Old" Pier\n2,B\n')).names).toEqual(['The "Old" Pier', 'B']);
  });

  it('a column that comes twice: the first counts and a warning says so', async () => {
    const { names, complaints } = await read('id,name,Name\n1,A,B\n');
    expect(names).toEqual(['A']);
    expect(complaints).toEqual([
      'warning services.csv:1 has the column "name" more than once; the first one counts',
    ]);
  });

  it('other tables that are empty', async () => {
    expect(
      (await read('id,name\n1,A\n', { 'phones.csv': '', 'languages.csv': 'id,service_id,language\n' }))
        .complaints,
    ).toEqual([]);
  });
});

it('a clean directory is read without a word', async () => {
  expect(complaintsIn(await readItems(await folderOf(version1)))).toEqual([]);
});
