import { timeZone } from '../../events/directory/opening-hours.ts';
import type { Row } from '../source/related-rows.ts';
import { quoted } from '../text.ts';
import { once } from './known.ts';

/** The time zone of the rows of schedules: the IANA name that all of them agree on. Offsets tell nothing about summer. */
export function timeZoneOf(rows: readonly Row[], warn: (row: Row, reason: string) => void): string {
  const zones: string[] = [];
  const wrong = new Map<string, Row>();
  for (const row of rows) {
    const written = row.cell('timezone');
    if (written === '') continue;
    if (timeZone.safeParse(written).success) zones.push(written);
    else if (!wrong.has(written)) wrong.set(written, row);
  }
  for (const [written, row] of wrong) {
    warn(row, `the time zone ${quoted(written)} is not the IANA name of one; left out`);
  }
  const [zone = '', another] = once(zones);
  const [first] = rows;
  if (another === undefined || !first) return zone;
  warn(first, `names the time zones ${zone} and ${another}; left out`);
  return '';
}
