import { crc32 } from 'node:zlib';
import type { OpeningHours } from '../../events/directory/opening-hours.ts';
import { normalised } from './week.ts';

/**
 * A mark that these words and these rows stand beside each other in a record. An export has it, so that they are not
 * compared again when it is read: the words may hold more by then, such as notes of rows that were left out. Whoever
 * changes either of them has them compared.
 */
export const confirmation = (hours: string, rows: readonly OpeningHours[]): string =>
  `confirmed ${crc32(JSON.stringify([hours, normalised(rows).map(cellsOf)])).toString(16)}`;

const cellsOf = ({ days, opens, closes, note, valid_from, valid_to }: OpeningHours) => [
  days,
  opens,
  closes,
  note,
  valid_from,
  valid_to,
];
