import { timeZone, utcOffset } from '../../events/directory/opening-hours.ts';
import type { Row } from '../source/related-rows.ts';
import { quoted } from '../text.ts';
import { once } from './without-blank.ts';

interface Zone {
  /** The IANA name that all rows agree on. Empty where there is none. */
  readonly name: string;
  /** The distances from UTC, where no name is. A source that knows about summer has two. */
  readonly offsets: readonly string[];
}

const mostOffsets = 4;

/** What the rows of schedules say of their time zone. */
export function timeZoneOf(rows: readonly Row[], warn: (row: Row, reason: string) => void): Zone {
  const zones: string[] = [];
  const offsets: string[] = [];
  const wrong = new Map<string, Row>();
  for (const row of rows) {
    const written = row.cell('timezone');
    offsets.push(...['opens_at', 'closes_at'].flatMap((column) => offsetOfTime(row.cell(column))));
    if (written === '') continue;
    const offset = offsetOf(written);
    if (offset !== undefined) offsets.push(offset);
    else if (timeZone.safeParse(written).success) zones.push(written);
    else if (!wrong.has(written)) wrong.set(written, row);
  }
  for (const [written, row] of wrong) {
    warn(
      row,
      `the time zone ${quoted(written)} is neither the IANA name of one nor a distance from UTC; left out`,
    );
  }
  const [name = '', another] = once(zones);
  const [first] = rows;
  if (another !== undefined && first) {
    warn(first, `names the time zones ${name} and ${another}; left out`);
    return { name: '', offsets: [] };
  }
  return { name, offsets: name === '' ? once(offsets).sort().slice(0, mostOffsets) : [] };
}

/** `-05:00` of `-05:00`, `-0500`, `-5`, `UTC-5`, `GMT -05:00`. */
function offsetOf(written: string): string | undefined {
  const { sign, hours, minutes } =
    /^(?:UTC|GMT)?\s*(?<sign>[+\-−])(?<hours>\d{1,2})(?::?(?<minutes>\d\d))?$/i.exec(written.trim())
      ?.groups ?? {};
  if (sign === undefined || hours === undefined) return undefined;
  const offset = `${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes ?? '00'}`;
  return utcOffset.safeParse(offset).success ? offset : undefined;
}

/** Of `07:30:00-05:00`. A `Z` is written without a thought of the place, and tells nothing. */
function offsetOfTime(written: string): string[] {
  const offset = offsetOf(/:\d\d(?<offset>[+-]\d\d:?\d\d)$/.exec(written.trim())?.groups?.['offset'] ?? '');
  return offset === undefined ? [] : [offset];
}
