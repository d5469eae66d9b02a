import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { limitNumbers, limitTable, type LimitRow } from '../../src/tables/limits.ts';

const page = new URL('../../docs/settings.md', import.meta.url);

const times: Readonly<Record<number, string>> = {
  60: 'a minute',
  300: '5 minutes',
  600: '10 minutes',
  900: '15 minutes',
  3_600: 'an hour',
  86_400: 'a day',
};

const howMany = ({ points, part, setting, times: factor }: LimitRow): string => {
  if (part !== undefined) return `1 of ${part}`;
  const number = points.toLocaleString('en');
  if (setting === undefined) return number;
  return `${number} (${factor === undefined ? '' : `${factor} × `}\`${setting}\`)`;
};

/** The table of the page, as lines of cells. */
const cells = (text: string) => text.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));

it('docs/settings.md shows every limit', () => {
  const rows = Object.entries<LimitRow>(limitTable).map(([name, row]) =>
    [
      `\`${name}\``,
      row.counts,
      howMany(row),
      `${times[row.windowSeconds]}${row.eachProcess ? ', in each process' : ''}`,
      row.beyond,
    ].join(' | '),
  );
  const table = [
    'limit | counts | how many | in | beyond it',
    Array<string>(5).fill('---').join(' | '),
    ...rows,
  ].map((row) => `| ${row} |`);
  const text = readFileSync(page, 'utf8');
  const [, before = '', shown = '', after = ''] =
    /^(.*\n### Limits\n.*?\n\n)(\| limit .*?\n)(\n.*)$/s.exec(text) ?? [];
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, `${before}${table.join('\n')}\n${after}`);
  const withoutLine = (lines: string[][]) => lines.filter(([, first]) => !/^-+$/.test(first ?? ''));
  expect(
    withoutLine(cells(shown.trimEnd())),
    'run the test with UPDATE_DOCS=1 to write it, and then prettier',
  ).toEqual(withoutLine(cells(table.join('\n'))));
});

describe('the table of limits', () => {
  const names = Object.keys(limitTable);

  it('has no name that another begins with: both would count what either counts', () => {
    for (const name of names)
      expect(names.filter((other) => other !== name && other.startsWith(name))).toEqual([]);
  });

  it('takes the numbers of the settings, and its own where nobody sets one', () => {
    const { limits } = readConfig({ REFRESHES_PER_HOUR: '50', TEAM_FORMS_DAILY_CAP: '7' });
    expect(limits).toMatchObject({
      'refreshes-grant': 50,
      'refreshes-person': 200,
      'team-forms-day': 7,
      'form-day': 500,
      'guess-pair': 10,
    });
    const defaults = readConfig({}).limits;
    for (const [name, row] of Object.entries<LimitRow>(limitTable))
      expect(defaults[name as keyof typeof defaults], name).toBe(row.points);
    expect(Object.keys(limitNumbers({} as never))).toEqual(names);
  });
});
