import { csvLine } from '../../ground/csv.ts';
import { serviceOf } from '../../hsds/export/service.ts';
import type { ViewedRecord } from '../../projections/directory/each-record.ts';
import { featuresOf } from './geojson.ts';
import { flatColumns, flatRow } from '../../hsds/export/flat-row.ts';

/** A format that is one text: what comes before the entries, between them and after them. */
export interface TextFormat {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  /** The entries of a record, of which there may be none. */
  readonly entries: (record: ViewedRecord) => readonly string[];
}

const json = (begin: string, end: string, of: (record: ViewedRecord) => readonly object[]): TextFormat => ({
  begin,
  between: ',\n',
  end,
  entries: (record) => of(record).map((entry) => JSON.stringify(entry)),
});

/** `inside`: with the columns that only the operator sees. */
export const textFormats: Readonly<Record<'hsds-json' | 'csv' | 'geojson', (inside: boolean) => TextFormat>> =
  {
    'hsds-json': () => json('[\n', '\n]\n', (record) => [serviceOf(record)]),
    geojson: () => json('{"type":"FeatureCollection","features":[\n', '\n]}\n', featuresOf),
    csv: (inside) => {
      const columns = flatColumns(inside);
      return {
        begin: csvLine(columns),
        between: '',
        end: '',
        entries: (record) => [csvLine(flatRow(record, columns))],
      };
    },
  };

/** The text of these records, in pieces. */
export async function* textOf(
  format: TextFormat,
  records: AsyncIterable<ViewedRecord>,
): AsyncGenerator<string> {
  yield format.begin;
  let first = true;
  for await (const record of records) {
    for (const entry of format.entries(record)) {
      yield first ? entry : format.between + entry;
      first = false;
    }
  }
  yield format.end;
}
