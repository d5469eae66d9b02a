import { expect, test } from 'vitest';
import { hoursPlaceOf } from '../../src/events/directory/location.ts';
import { instantOf } from '../../src/events/directory/local-time.ts';
import { statusAt } from '../../src/events/directory/opening-status.ts';
import { hoursZone } from '../../src/places/hours-zone.ts';
import { publicFields } from '../../src/projections/directory/shown-fields.ts';
import { readItems, recordsIn } from './support.ts';

/**
 * On a real directory: whether places are open at a Tuesday's 10:00 as their words say. `SEARCH_DATA`: folders of
 * packages, separated by commas. The words are read here by a small reading of its own, which shares no code with the
 * import and knows only the commonest way to write hours; it does not judge what it does not understand.
 */
const folders = (process.env['SEARCH_DATA'] ?? '').split(',').filter((each) => each !== '');

/** A Tuesday's 10:00 on a clock. */
const shown = Date.UTC(2026, 10, 24, 10);
const installation = 'America/Chicago';

test.skipIf(folders.length === 0).each(folders.length === 0 ? ['a real directory'] : folders)(
  '%s: who has readable hours is open at a Tuesday’s 10:00 as the words say',
  async (folder) => {
    const count = { records: 0, withHours: 0, structured: 0, zones: 0, judged: 0, open: 0 };
    const wrong: string[] = [];
    for (const { fields } of recordsIn(await readItems(folder))) {
      count.records++;
      const { hours, opening_hours, time_zone } = fields;
      if (hours !== undefined) count.withHours++;
      if (opening_hours === undefined) continue;
      count.structured++;
      const place = hoursPlaceOf(publicFields(fields).locations);
      const zone = hoursZone({ time_zone, place }, { teams: new Map(), installation });
      if (zone === undefined) continue;
      count.zones++;
      const said = hours === undefined ? undefined : openByWords(hours);
      if (said === undefined) continue;
      count.judged++;
      const instant = new Date(instantOf(zone, shown, 'first'));
      const isOpen = statusAt({ opening_hours, time_zone: zone }, instant).state === 'open';
      if (isOpen) count.open++;
      if (isOpen !== said) wrong.push(`${said ? 'open' : 'closed'}: ${hours ?? ''}`);
    }
    console.log(folder, count, wrong);
    expect(count.judged).toBeGreaterThan(0);
    expect(count.zones).toBe(count.structured);
    expect(wrong).toEqual([]);
  },
  120_000,
);

const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const day = String.raw`(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?`;
const days = String.raw`${day}(?:\s*(?:-|–|to|thru|through|,|&|and|or)+\s*${day})*`;
const clock = String.raw`(?:\d{1,2}(?::?\d\d)?\s*[ap]\.?m\.?|\d{1,2}:\d\d|noon|midnight)`;
const times = String.raw`(?<from>${clock})\s*(?:-|–|to)\s*(?<to>${clock})`;
const timesFirst = new RegExp(`^${times}[\\s,]*(?<days>${days})$`);
const daysFirst = new RegExp(`^(?<days>${days})[\\s,:]*${times}$`);

/** Whether words say that it is open on Tuesday at 10:00. Undefined where they are written in another way. */
function openByWords(hours: string): boolean | undefined {
  const text = hours.toLowerCase();
  if (/^(open )?24 hours(?: a day|\/7)?[.,;]?( 7 days a week)?$|^24\/7$/.test(text.trim())) return true;
  const statements = text.split(/[;\n]+/).map((each) => each.trim().replace(/[.,]$/, ''));
  let isOpen = false;
  for (const each of statements.filter((statement) => statement !== '')) {
    const found = (timesFirst.exec(each) ?? daysFirst.exec(each))?.groups;
    if (!found) return undefined;
    const [from, to] = [minutesOf(found['from'] ?? ''), minutesOf(found['to'] ?? '')];
    // Past midnight, or half of a time is missing: not judged.
    if (from === undefined || to === undefined || to <= from) return undefined;
    isOpen ||= daysIn(found['days'] ?? '').has(1) && from <= 600 && 600 < to;
  }
  return isOpen;
}

function minutesOf(time: string): number | undefined {
  if (time === 'noon') return 720;
  if (time === 'midnight') return 1_440;
  const [, hour = '', minutes = '0', half] = /^(\d{1,2}):?(\d\d)?\s*([ap])?/.exec(time) ?? [];
  if (half === undefined || Number(hour) < 1 || Number(hour) > 12) return undefined;
  return (Number(hour) % 12) * 60 + Number(minutes) + (half === 'p' ? 720 : 0);
}

function daysIn(written: string): Set<number> {
  const found = new Set<number>();
  let last = -1;
  let isRange = false;
  for (const [piece] of written.matchAll(/[a-z]{2,}|[-–]/g)) {
    const at = names.indexOf(piece.slice(0, 3));
    if (at === -1) {
      isRange ||= /^(?:[-–]|to|thru|through)$/.test(piece);
      continue;
    }
    if (isRange) for (let each = last; each !== at; each = (each + 1) % 7) found.add(each);
    found.add(at);
    [last, isRange] = [at, false];
  }
  return found;
}
