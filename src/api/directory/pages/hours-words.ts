import { weekdays, type Weekday } from '../../../events/directory/local-time.ts';
import type { OpeningHours } from '../../../events/directory/opening-hours.ts';
import { isDate } from '../../../hsds/hours/heading.ts';
import { dayNames, writeHours } from '../../../hsds/hours/write.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { timeOf } from './opening-line.ts';
import { shownDate } from './shown-date.ts';

/**
 * Hours in words for a page in a language. Lines that were made from rules, in the form of `writeHours`, are said in
 * that language; what people wrote stays as it is.
 */
export const hoursInWords = (hours: string, texts: Texts): string =>
  hours
    .split('\n')
    .map((line) => lineInWords(line, texts) ?? line)
    .join('\n');

/** The rules of a record in the language of a page, for where there is no table. */
export const rulesInWords = (rules: readonly OpeningHours[], texts: Texts): string =>
  hoursInWords(writeHours(rules), texts);

/** What the words say besides the rules, where they begin with what was made from them. */
export function wordsBeside(hours: string, rules: readonly OpeningHours[]): string {
  const made = writeHours(rules);
  if (hours === made) return '';
  return made !== '' && hours.startsWith(`${made}\n`) ? hours.slice(made.length + 1) : hours;
}

const ordinals = {
  '1st': 'first',
  '2nd': 'second',
  '3rd': 'third',
  '4th': 'fourth',
  '5th': 'fifth',
  last: 'last',
} as const;

const weekday = `(?:${dayNames.join('|')})`;
const day = String.raw`(?:${weekday}(?:–${weekday})?|(?:${Object.keys(ordinals).join('|')}) ${weekday} of the month)`;
const time = String.raw`(?:[01]\d|2[0-4]):[0-5]\d`;
const times = String.raw`${time}–${time}(?: the next day)?`;
const part = String.raw`(?<days>${day}(?:, ${day})*) (?<times>${times}(?:, ${times})*)`;
const unnamed = part.replace(/\(\?<\w+>/g, '(?:');
const madeLine = new RegExp(`^(?:(?<heading>.+): )?(?<parts>${unnamed}(?:; ${unnamed})*)$`, 'u');
const madePart = new RegExp(`^${part}$`, 'u');
const isoDate = String.raw`\d{4}-\d\d-\d\d`;
const period = new RegExp(
  `(?:^|(?<=, ))(?:(?<from>${isoDate}) to (?<to>${isoDate})|from (?<since>${isoDate})|until (?<until>${isoDate}))$`,
  'u',
);

/** What `holiday_schedules` say of days on which nobody is there. */
const closedLine = new RegExp(`^Closed, (?<from>${isoDate})(?: to (?<to>${isoDate}))?$`, 'u');

function lineInWords(line: string, texts: Texts): string | undefined {
  const { from, to = from } = closedLine.exec(line)?.groups ?? {};
  if (from !== undefined)
    return `${texts.record.closedThatDay}, ${headingInWords(`${from} to ${to}`, texts)}`;
  const { heading, parts } = madeLine.exec(line)?.groups ?? {};
  if (parts === undefined) return undefined;
  const openings = parts.split('; ').map((each) => {
    const { days = '', times = '' } = madePart.exec(each)?.groups ?? {};
    return `${listed(days, (one) => daysInWords(one, texts))}: ${listed(times, (one) => timesInWords(one, texts))}`;
  });
  return `${heading === undefined ? '' : `${headingInWords(heading, texts)}: `}${openings.join('; ')}`;
}

const listed = (list: string, inWords: (one: string) => string): string =>
  list.split(', ').map(inWords).join(', ');

function daysInWords(days: string, { opening, record }: Texts): string {
  const [, nth, name = ''] = /^(\w+) (\w+) of the month$/.exec(days) ?? [];
  if (nth !== undefined) {
    return record.ofMonth[ordinals[nth as keyof typeof ordinals]]({ day: opening.days[weekdayOf(name)] });
  }
  return days
    .split('–')
    .map((each) => opening.days[weekdayOf(each)])
    .join('–');
}

const weekdayOf = (name: string): Weekday =>
  weekdays[dayNames.indexOf(name as (typeof dayNames)[number])] ?? 'mon';

/** "9:00 am – 5:00 pm". A time stays in one line. */
export function timesInWords(written: string, { opening, record }: Texts): string {
  const [opens = '', closes = ''] = written.replace(' the next day', '').split('–');
  if (opens === '00:00' && closes === '24:00') return opening.allDay;
  const times = [opens, closes].map((each) => unbroken(timeOf(minutesOf(each), opening))).join(' – ');
  return written.endsWith(' the next day') ? record.nextDay({ times }) : times;
}

const unbroken = (time: string): string => time.replaceAll(' ', '\u00a0');

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const headingInWords = (heading: string, texts: Texts): string =>
  heading.replace(period, (written: string, ...groups) => {
    const dates = groups.at(-1) as Readonly<Record<string, string | undefined>>;
    if (Object.values(dates).some((date) => date !== undefined && !isDate(date))) return written;
    const date = (name: string): string => shownDate(dates[name] ?? '', texts);
    if (dates['since'] !== undefined) return texts.record.from({ date: date('since') });
    if (dates['until'] !== undefined) return texts.record.until({ date: date('until') });
    if (dates['from'] === dates['to']) return date('from');
    return texts.record.between({ from: date('from'), to: date('to') });
  });
