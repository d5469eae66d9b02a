import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder.remove());

const data = join(folder.path, 'data');
const sheet = join(folder.path, 'export.csv');
const run = async (...words: string[]) => {
  const { stdout, stderr } = await runCommandLine(words, data);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
};
beforeAll(async () => {
  await runCommandLine(['import', example, '--approve', '--json'], data);
  await runCommandLine(['export', '--format', 'csv', '--out', sheet, '--json'], data);
});

describe('our own spreadsheet', () => {
  test('comes back whole: nothing changes, and nothing is lost that it cannot hold', async () => {
    const report = await run('import', sheet, '--json', '--source', 'Spreadsheet');
    expect(report).toMatchObject({ new: 0, revised: 0, problems: [], warnings: [] });
    expect(report['unchanged']).toBe(report['services']);
    expect(report['unchanged']).toBeGreaterThan(5);
  });

  test('changes the cells that somebody changed, and nothing else', async () => {
    const before = readFileSync(sheet, 'utf8');
    const [, svcId = ''] = /^(r_[0-9a-f]{16}),/m.exec(before) ?? [];
    const lines = before.split('\n');
    const header = lines[0]?.split(',') ?? [];
    const at = lines.findIndex((line) => line.startsWith(svcId));
    const cells = (lines[at] ?? '').split(',');
    cells[header.indexOf('name')] = 'Another name';
    lines[at] = cells.join(',');
    const changed = join(folder.path, 'changed.csv');
    writeFileSync(changed, lines.join('\n'));
    const dry = await run('import', changed, '--json', '--dry-run', '--source', 'Spreadsheet');
    expect(dry).toMatchObject({ new: 0, revised: 1, revised_fields: { name: 1 } });
    expect(await run('import', changed, '--json', '--source', 'Spreadsheet')).toMatchObject({
      new: 0,
      revised: 1,
    });
    expect(await run('import', changed, '--json', '--source', 'Spreadsheet')).toMatchObject({
      new: 0,
      revised: 0,
    });
  });

  test('says nothing of columns that were taken out of it', async () => {
    const few = join(folder.path, 'few.csv');
    const rows = readFileSync(sheet, 'utf8').match(/^r_[0-9a-f]{16}/gm) ?? [];
    writeFileSync(
      few,
      ['svc_id,name,category,updated_at', ...rows.map((id) => `${id},Renamed,food,`)].join('\n'),
    );
    const dry = await run('import', few, '--json', '--dry-run', '--source', 'Spreadsheet');
    const fields = Object.keys(dry['revised_fields'] as object);
    expect(fields.every((name) => name === 'name' || name === 'category')).toBe(true);
  });
});
