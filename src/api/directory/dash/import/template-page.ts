import { Readable } from 'node:stream';
import { csvLine } from '../../../../ground/csv.ts';
import { templatePath } from './import-paths.ts';
import type { Page } from '../../../pages/page-context.ts';

/** A spreadsheet to fill in: columns that are recognised by their names, and an example to write over. */
const columns: readonly (readonly [column: string, example: string])[] = [
  ['ID', 'pantry-1'],
  ['Name', 'Food pantry (example, please delete this row)'],
  ['Organization', 'Example Community Center'],
  ['Category', 'food; goods'],
  ['Description', 'Groceries once a week. No appointment needed.'],
  ['Address', '12 Oak Street'],
  ['City', 'Miami'],
  ['State', 'FL'],
  ['Zip', '33101'],
  ['Phone', '305-555-0100; 305-555-0101 (Spanish)'],
  ['Hours', 'Mon-Fri 9am-5pm; Sat 10am-1pm'],
  ['Website', 'https://example.org'],
  ['Email', 'help@example.org'],
  ['Languages', 'English, Spanish'],
  ['Eligibility', 'Residents of the county'],
  ['Cost', 'Free'],
  ['How to apply', 'Walk in'],
  ['Documents', 'Photo ID; Proof of address'],
  ['Service area', 'Miami-Dade County'],
  ['Accessibility', 'Ramp at the back door'],
  ['Last verified', '2026-01-31'],
];

export const templatePage = (): Page => ({
  audience: 'team',
  right: 'import records',
  path: templatePath,
  get: () => ({
    // Spreadsheet programs take it for UTF-8 by its byte order mark.
    download: Readable.from([
      `\ufeff${csvLine(columns.map(([column]) => column))}${csvLine(columns.map(([, example]) => example))}`,
    ]),
    filename: 'directory-template.csv',
    type: 'text/csv',
  }),
});
