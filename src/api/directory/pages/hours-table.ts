import { weekdays, clockAt } from '../../../events/directory/local-time.ts';
import { type OpeningHours } from '../../../events/directory/opening-hours.ts';
import { shownHours } from '../../../events/directory/flat-members.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { html, type Html } from '../../pages/html.ts';
import { shownDate } from './shown-date.ts';
import { hoursInWords, timesInWords, wordsBeside } from './hours-words.ts';
import { type Texts, textsIn } from '../../pages/frame/texts.ts';
import { z } from 'zod';
import { cell, readTable } from '../../../tables/read-table.ts';

const dayMs = 86_400_000;

/** The week at a place as a table, with today marked, and the hours in the words of the record. */
export function hoursSection(fields: UnsealedFields, now: Date, texts: Texts): Html | '' {
  const { opening_hours = [], time_zone } = fields;
  const hours = shownHours(fields);
  const table = weekTable(opening_hours, time_zone, now, texts);
  if (table === '' && hours === undefined) return '';
  // What was made from the rules is in the table.
  const further = table === '' ? (hours ?? '') : wordsBeside(hours ?? '', opening_hours);
  const words = further === '' ? '' : html`<p class="written">${hoursInWords(further, texts)}</p>`;
  return html`<section aria-labelledby="hours">
    <h2 id="hours">${texts.record.hours}</h2>
    ${table} ${table !== '' && words !== '' ? html`<h3>${texts.record.asWritten}</h3>` : ''} ${words}
  </section>`;
}

/** Without a zone nobody knows which day is today there: none is marked, and the seasons are those of the day in UTC. */
function weekTable(
  rules: readonly OpeningHours[],
  timeZone: string | undefined,
  now: Date,
  texts: Texts,
): Html | '' {
  if (rules.length === 0) return '';
  const { record, opening } = texts;
  const today = clockAt(timeZone ?? 'UTC', now);
  const rows = weekdays.map((weekday, place) => {
    // The next such day, from today on.
    const ahead = (place - weekdays.indexOf(today.weekday) + weekdays.length) % weekdays.length;
    const date = new Date((today.day + ahead) * dayMs).toISOString().slice(0, 10);
    const that = rules.filter((rule) => rule.days.includes(weekday) && isValid(rule, date));
    return { weekday, isToday: timeZone !== undefined && ahead === 0, that };
  });
  const later = rules.filter(
    ({ valid_from }) =>
      valid_from !== undefined && valid_from > new Date((today.day + 6) * dayMs).toISOString().slice(0, 10),
  );
  if (later.length === 0 && rows.every(({ that }) => that.length === 0)) return '';
  return html`<table class="hours">
      <thead>
        <tr>
          <th scope="col">${record.day}</th>
          <th scope="col">${record.times}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ weekday, isToday, that }) =>
            html`<tr ${isToday ? html`class="today" aria-current="date"` : ''}>
              <th scope="row">
                ${opening.days[weekday]}${isToday ? html` <span class="quiet">(${record.today})</span>` : ''}
              </th>
              <td>
                ${
                  that.length === 0
                    ? record.closedThatDay
                    : that.toSorted(byTime).map((rule) => html`<div>${timesOf(rule, texts)}</div>`)
                }
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      later.length === 0
        ? ''
        : html`<ul class="points">
            ${later.map(
              (rule) =>
                html`<li>
                  ${rule.days.map((day) => opening.days[day]).join(', ')}: ${timesOf(rule, texts)}
                </li>`,
            )}
          </ul>`
    }
    ${timeZone === undefined ? '' : html`<p class="quiet small">${record.timesIn({ zone: zoneName(timeZone, texts) })}</p>`}`;
}

const byTime = (one: OpeningHours, other: OpeningHours): number => (one.opens < other.opens ? -1 : 1);

const isValid = ({ valid_from, valid_to }: OpeningHours, date: string): boolean =>
  (valid_from === undefined || valid_from <= date) && (valid_to === undefined || date <= valid_to);

/** "9:00 am – 5:00 pm, until March 31, 2027; walk-in only". */
function timesOf(rule: OpeningHours, texts: Texts): Html {
  const { opening, record } = texts;
  const { opens, closes, note, valid_from, valid_to } = rule;
  const times = opens === closes ? opening.allDay : timesInWords(`${opens}–${closes}`, texts);
  const [from, to] = [valid_from, valid_to].map((date) =>
    date === undefined ? undefined : shownDate(date, texts),
  );
  const season =
    from !== undefined && to !== undefined
      ? from === to
        ? from
        : record.between({ from, to })
      : from !== undefined
        ? record.from({ date: from })
        : to !== undefined
          ? record.until({ date: to })
          : undefined;
  const further = [season, note].filter((part) => part !== undefined);
  return html`${times}${further.length === 0 ? '' : html` <span class="quiet">${further.join('; ')}</span>`}`;
}

type ZoneName = keyof Texts['zones'];

const names = Object.keys(textsIn('en').zones) as [ZoneName, ...ZoneName[]];
const nameOf = new Map(
  readTable('zone-names.tsv', { zone: cell, name: z.enum(names) }, ['zone']).map(({ zone, name }) => [
    zone,
    name,
  ]),
);

/** A time zone as people call it: "Eastern time"; one without such a name by its city: "Port-au-Prince". */
export function zoneName(zone: string, { zones }: Texts): string {
  const name = nameOf.get(zone);
  if (name !== undefined) return zones[name];
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
