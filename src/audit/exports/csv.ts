import { beginsFormula, csvCell } from '../../ground/csv.ts';
import type { LoggedEvent } from '../proof-log/entry.ts';
import type { Actor } from '../../events/metadata.ts';
import { canonicalJson } from '../proof-log/canonical-json.ts';
import { metadataOf } from './metadata-of.ts';
import type { ExportedEvent, Format } from './format.ts';

const columns = [
  'leaf',
  'time',
  'type',
  'actor_kind',
  'actor_id',
  'on_behalf_of',
  'stream',
  'revision',
  'id',
  'correlation_id',
  'causation_id',
  'data',
  'metadata',
] as const;

/**
 * A table for spreadsheets, RFC 4180. The first columns are for people. `data` and `metadata` are canonical JSON, so an
 * event can be read back and its leaf computed.
 */
export const csv: Format = {
  file: 'events.csv',
  mediaType: 'text/csv; charset=utf-8; header=present',
  begin: `${columns.join(',')}\r\n`,
  between: '\r\n',
  end: '\r\n',
  endEmpty: '',
  line: (exported) => cellsOf(exported).map(quoted).join(','),
  leafIn: (line) => Number(cellsIn(line)[0]),
  read(line) {
    const cells = cellsIn(line);
    if (cells.length !== columns.length) throw new SyntaxError('This line does not have the columns.');
    const cell = (name: (typeof columns)[number]) => cells[columns.indexOf(name)] as string;
    return {
      id: fromText(cell('id')),
      stream: fromText(cell('stream')),
      revision: Number(cell('revision')),
      type: fromText(cell('type')),
      data: JSON.parse(cell('data')),
      metadata: JSON.parse(cell('metadata')) as LoggedEvent['metadata'],
    };
  },
};

function cellsOf({ index, event }: ExportedEvent): string[] {
  const { at, actor, correlation_id, causation_id } = metadataOf(event);
  const values: Readonly<Record<(typeof columns)[number], string>> = {
    leaf: String(index),
    time: asText(at),
    type: asText(event.type),
    actor_kind: asText(actor.kind),
    actor_id: asText(actor.id),
    on_behalf_of: asText(behalfOf(actor)),
    stream: asText(event.stream),
    revision: String(event.revision),
    id: asText(event.id),
    correlation_id: asText(correlation_id),
    causation_id: asText(causation_id),
    data: canonicalJson(event.data),
    metadata: canonicalJson(event.metadata),
  };
  return columns.map((column) => values[column]);
}

/** For whom it was done, and who an operator claims to be: nobody has checked that, so the cell says so. */
const behalfOf = ({ on_behalf_of: person, claims_to_be: claimed }: Actor): string =>
  [
    ...(person === undefined || person === claimed ? [] : [person]),
    ...(claimed === undefined ? [] : [`${claimed} (claimed)`]),
  ].join('; ');

/**
 * An apostrophe makes a text of what a spreadsheet would run. A text that begins with an apostrophe gets one too, so that
 * it can be told apart. JSON of an object never begins with one.
 */
const asText = (text: string): string => (beginsFormula(text) || text.startsWith("'") ? `'${text}` : text);
const fromText = (cell: string): string => (cell.startsWith("'") ? cell.slice(1) : cell);

/** A line break, which only a text outside JSON could have, would end the line. */
const quoted = (cell: string): string => csvCell(cell.replaceAll(/[\r\n]/g, ' '));

/** The cells of a line that `quoted` wrote. */
function cellsIn(line: string): string[] {
  const cells = line.match(/("([^"]|"")*"|[^",]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? [];
  // The expression also matches the empty end of a line that does not end in a comma.
  if (!line.endsWith(',')) cells.pop();
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
