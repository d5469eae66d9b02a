import {
  firstDayOf,
  type AgingPart,
  type ChangedBySource,
  type Confirmation,
  type Confirmed,
} from '../../../events/directory/upkeep/confirmation.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import type { Config } from '../../../config.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { shownPeriod } from '../pages/shown-date.ts';

/** After how many days a confirmation is old, of a record and of its parts. */
export type StaleAfter = Config['staleAfterDays'];

/** What tells how true a record is. */
export interface Freshness {
  readonly confirmed: Confirmed | undefined;
  readonly staleAfter: StaleAfter;
}

/** Up to so many days ago a day is said by its distance, then by its month. */
const mostDaysAgo = 60;
const dayMs = 86_400_000;

const daysSince = (date: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(firstDayOf(date))) / dayMs));

/** Who confirmed it last, and when: "Confirmed by the agency 12 days ago." Empty where nobody has, or long ago. */
export function confirmedLine({ confirmed, staleAfter }: Freshness, now: Date, texts: Texts): string {
  const whole = wholeOf(confirmed);
  if (!whole || isStale(whole, staleAfter.record, now)) return '';
  return texts.confirmed.by[whole.by]({ when: whenOf(whole.on, now, texts) });
}

/** The same, and where it is long ago that nobody has since. Empty where nobody ever has. */
export function confirmedInWords(freshness: Freshness, now: Date, texts: Texts): string {
  const whole = wholeOf(freshness.confirmed);
  return whole && isStale(whole, freshness.staleAfter.record, now)
    ? texts.confirmed.stale.record({ period: shownPeriod(whole.on, now, texts) })
    : confirmedLine(freshness, now, texts);
}

/** The same of any confirmation, however old. */
export const confirmationLine = ({ on, by }: Confirmation, now: Date, texts: Texts): string =>
  texts.confirmed.by[by]({ when: whenOf(on, now, texts) });

/** Of a part that its source has changed since it was confirmed. */
export const changedLine = (part: AgingPart, { changed }: ChangedBySource, now: Date, texts: Texts): string =>
  texts.confirmed.stale.changed[part]({ period: shownPeriod(changed, now, texts) });

/** A warning: nobody has confirmed the record for long, or what of it ages faster. Undefined: all is fresh enough. */
export function staleWarning(
  { confirmed, staleAfter }: Freshness,
  fields: UnsealedFields,
  now: Date,
  texts: Texts,
): Html | undefined {
  const whole = wholeOf(confirmed);
  const { stale } = texts.confirmed;
  const since = ({ on }: Confirmation) => ({ period: shownPeriod(on, now, texts) });
  if (!whole) return warning(stale.never);
  if (isStale(whole, staleAfter.record, now)) return warning(stale.record(since(whole)));
  const old = (part: AgingPart): string | undefined => {
    const latest = confirmed?.[part] ?? whole;
    if (!says[part](fields)) return undefined;
    if ('changed' in latest) return changedLine(part, latest, now, texts);
    return isStale(latest, staleAfter[part], now) ? stale[part](since(latest)) : undefined;
  };
  const sentences = (['hours', 'phones', 'places'] as const).flatMap((part) => old(part) ?? []);
  return sentences.length === 0 ? undefined : warning(sentences.join(' '));
}

const warning = (sentence: string): Html => html`<p class="notice">${sentence}</p>`;

/** Whether a record says something of a part. */
const says: Readonly<Record<AgingPart, (fields: UnsealedFields) => boolean>> = {
  hours: ({ hours, opening_hours = [] }) => hours !== undefined || opening_hours.length > 0,
  phones: ({ phones = [] }) => phones.length > 0,
  places: ({ locations = [] }) => locations.length > 0,
};

const isStale = ({ on }: Confirmation, days: number, now: Date): boolean => daysSince(on, now) > days;

const wholeOf = (confirmed: Confirmed | undefined): Confirmation | undefined =>
  confirmed?.on === undefined || confirmed.by === undefined
    ? undefined
    : { on: confirmed.on, by: confirmed.by };

/** Of a day that is near, how long ago it was; of others, and where only the month is known, the month. */
function whenOf(date: string, now: Date, texts: Texts): string {
  const { when } = texts.confirmed;
  const days = daysSince(date, now);
  if (date.length < 10 || days > mostDaysAgo) return when.period({ period: shownPeriod(date, now, texts) });
  if (days < 2) return days === 0 ? when.today : when.yesterday;
  return when.daysAgo({ count: days });
}
