import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { format, resolveConfig } from 'prettier';
import { hsdsColumns, type ColumnUse } from '../../src/hsds/columns.ts';
import { layouts, tableNames, type TableName } from '../../src/hsds/source/layout.ts';

const page = new URL('../../docs/hsds.md', import.meta.url);
const begin = '<!-- columns -->';
const end = '<!-- end of columns -->';

function written(use: ColumnUse): string {
  if ('to' in use) return use.when === undefined ? use.to : `${use.to}, ${use.when}`;
  if ('joins' in use) return `_joins_ ${use.joins}`;
  return 'repeats' in use ? `_repeats_ ${use.repeats}` : `– ${use.not}`;
}

const section = (table: TableName): string => {
  const [name, ...others] = layouts[table].names;
  const also = others.length === 0 ? '' : `Also ${others.map((other) => `\`${other}\``).join(', ')}.\n\n`;
  // Columns with the same use are one row.
  const byUse = Map.groupBy(Object.entries<ColumnUse>(hsdsColumns[table]), ([, use]) => written(use));
  const rows = [...byUse].map(
    ([use, columns]) => `| ${columns.map(([column]) => `\`${column}\``).join(', ')} | ${use} |`,
  );
  return `### ${name}\n\n${also}| columns | carried into |\n| --- | --- |\n${rows.join('\n')}\n`;
};

it('docs/hsds.md lists every column of HSDS as the code carries it', async () => {
  const text = readFileSync(page, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [, after = ''] = rest.split(end);
  const columns = tableNames.map(section).join('\n');
  const config = await resolveConfig(page);
  const expected = await format(`${before}${begin}\n\n${columns}\n${end}${after}`, {
    ...config,
    parser: 'markdown',
  });
  if (process.env['UPDATE_DOCS']) writeFileSync(page, expected);
  expect(readFileSync(page, 'utf8'), 'run: UPDATE_DOCS=1 npx vitest run test/hsds/document.test.ts').toBe(
    expected,
  );
});
