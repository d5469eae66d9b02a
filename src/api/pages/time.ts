import { shownDay, shownTime, type TimeStyle } from '../../tables/shown-time.ts';
import { html, type Html } from './html.ts';
import { readerClock } from './reader-clock.ts';

/**
 * A time as the reader of the page reads it, with the exact time in UTC for whoever points at it. The script of the
 * dashboard writes it again when the zone of the browser was not known yet.
 */
export function time(at: string | number | Date, style: TimeStyle = 'day'): Html {
  const date = new Date(at);
  const exact = date.toISOString();
  const title = `${exact.slice(0, 10)} ${exact.slice(11, 19)} UTC`;
  return html`<time datetime="${exact}" data-style="${style}" title="${title}"
    >${shownTime(date, style, readerClock())}</time
  >`;
}

/** The same in a text, such as beside the bars of a chart. */
export const timeText = (at: string, style: TimeStyle): string =>
  shownTime(new Date(at), style, readerClock());

/** A calendar day in a text. */
export const dayText = (day: string, style: 'day' | 'chart day' = 'day'): string =>
  shownDay(day, readerClock().locale, style);

/** A calendar day, YYYY-MM-DD, which is the same in every zone. */
export const calendarDay = (day: string): Html => html`<time datetime="${day}">${dayText(day)}</time>`;

/** A sentence with the times in it as the reader reads them: those of machines stand in the log, and in answers of the API. */
export const withTimes = (sentence: string, style: TimeStyle = 'second'): Html =>
  html`${sentence
    .split(/(\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z)/)
    .map((part, index) => (index % 2 === 1 ? time(part, style) : html`${part}`))}`;

/** When something was paid. Whoever records a payment names a day, which is kept as its noon in UTC. */
export const paidOn = (at: string): Html =>
  at.endsWith('T12:00:00.000Z') ? calendarDay(at.slice(0, 10)) : time(at);
