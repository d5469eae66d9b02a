import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const list = join(folder.path, 'list.csv');
writeFileSync(
  list,
  'Agency,Program,Phone,Remarks,"Rating, if any"\nCaritas,Pantry,305-555-0100,Ring twice,5\nCaritas,Shelter,305-555-0101,,4\n',
);
const data = join(folder.path, 'data');
const run = (...line: string[]) => runCommandLine(['import', list, ...line], data);

describe('a spreadsheet is imported by command line', () => {
  test('which says how it read the columns, and what it left out', async () => {
    const { stdout, code } = await run('--dry-run');
    expect(stdout).toContain('2 services from list for commons: 2 new');
    expect(stdout).toMatch(/Program +name\n/);
    expect(stdout).toMatch(/Rating, if any +left out\n/);
    expect(stdout).toMatch(/no place was chosen for it +Rating, if any \(2\)/);
    expect(code).toBe(0);
  });

  test('which takes what a person says of the columns, and finds the same records again', async () => {
    const first = await run('--json', '--columns', 'Rating, if any=notes,Remarks=how_to_apply');
    expect(JSON.parse(first.stdout)).toMatchObject({
      new: 2,
      sheet: { columns: { Remarks: 'how_to_apply', 'Rating, if any': 'notes' } },
    });
    const again = await run('--json', '--columns', 'Rating, if any=notes,Remarks=how_to_apply');
    expect(JSON.parse(again.stdout)).toMatchObject({ new: 0, revised: 0, unchanged: 2 });
  });

  test('which leaves as it stands what a sheet has no column for', async () => {
    const fewer = join(folder.path, 'fewer', 'list.csv');
    mkdirSync(join(folder.path, 'fewer'));
    writeFileSync(fewer, 'Agency,Program,Phone\nCaritas,Pantry,305-555-0199\nCaritas,Shelter,305-555-0101\n');
    const { stdout } = await runCommandLine(['import', fewer, '--json', '--dry-run'], data);
    expect(JSON.parse(stdout)).toMatchObject({ new: 0, revised: 1, revised_fields: { phones: 1 } });
  });

  test.each([
    [
      ['--columns', 'Size=notes'],
      'the sheet has no column Size. It has: Agency, Program, Phone, Remarks, Rating, if any.',
    ],
    [['--columns', 'Phone=telephone'], 'telephone is none of: name, organization, description'],
    [['--columns', 'Phone'], 'Phone does not say what the column is, as in "Remarks=notes"'],
    [['--sheet', 'Old'], 'has no sheet "Old"'],
  ])('which refuses %j', async (line, sentence) => {
    const { stderr, code } = await run('--dry-run', ...line);
    expect(stderr).toContain(sentence);
    expect(code).not.toBe(0);
  });
});
