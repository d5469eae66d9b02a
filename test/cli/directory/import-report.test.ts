import { describe, expect, it } from 'vitest';
import { describeImport } from '../../../src/cli/directory/import-report.ts';
import { ImportTally, type ImportReport } from '../../../src/imports/report.ts';

const nothing = { not_carried: [], repaired_links: [], repaired_text: [], broken_links: [] };

function report(summary: Partial<ImportReport>, warnings = 0): string {
  const tally = new ImportTally();
  for (let line = 1; line <= warnings; line++)
    tally.add({ kind: 'warning', file: 'phones.csv', line, reason: `wrong ${line}` });
  const of = { source: 'county', team: 'commons', services: 1, dry_run: false, missing_removed: false };
  return describeImport(tally.report(of, { ...nothing, ...summary })).join('\n');
}

describe('the report of an import', () => {
  it('tells in one line which columns of a table are not carried for one reason', () => {
    const file = { file: 'services.csv', table: 'services' };
    const text = report({
      not_carried: [
        { ...file, column: 'licenses', rows: 12, why: 'no field' },
        { ...file, column: 'shoe_size', rows: 1, why: 'no such column' },
        { ...file, column: 'accreditations', rows: 3, why: 'no field' },
        { file: 'metadata.csv', table: 'metadata', rows: 7, why: 'own history' },
      ],
    });
    expect(text).toMatch(/services\.csv +services +no field +licenses \(12\), accreditations \(3\)/);
    expect(text).toMatch(/services\.csv +services +no such column +shoe_size \(1\)/);
    expect(text).toMatch(/metadata\.csv +metadata +own history +whole rows \(7\)/);
  });

  it('says nothing of what there is nothing of', () => {
    expect(report({})).not.toMatch(/Not carried|Links|wrong encoding|Left out/);
  });

  it('stays short, however much was left out', () => {
    const text = report({}, 10_020);
    expect(text.split('\n').filter((each) => each.includes('phones.csv'))).toHaveLength(50);
    expect(text).toContain('… and 9970 more.');
    expect(report({}, 3)).toMatch(/phones\.csv +3 +wrong 3/);
  });
});
