import { clockAt } from '../../../events/directory/local-time.ts';
import { statusAt, type Week } from '../../../events/directory/opening-status.ts';
import type { OpeningTexts } from './texts.ts';

/** One line that says whether a place is open. */
export interface OpeningLine {
  readonly state: 'open' | 'closed' | 'unknown';
  readonly text: string;
}

/** "Open until 5:00 pm", "Closed now, opens 9:00 am tomorrow": times are on the clock of the place. */
export function openingLine(week: Week, now: Date, texts: OpeningTexts): OpeningLine {
  if (week.availability === 'temporarily_closed') return { state: 'closed', text: texts.temporarilyClosed };
  if (week.availability === 'defunct') return { state: 'closed', text: texts.defunct };
  const status = statusAt(week, now);
  const { state } = status;
  if (state === 'unknown') return { state, text: texts.unknown };
  const at = state === 'open' ? status.until : status.opens;
  if (at === undefined) return { state, text: state === 'open' ? texts.open : texts.closed };
  const zone = week.time_zone ?? 'UTC';
  const { day, weekday, minutes } = clockAt(zone, at);
  const days = day - clockAt(zone, now).day;
  if (state === 'open') {
    // The midnight that ends tonight is of today for whoever reads it.
    const soon = days === 0 || (days === 1 && minutes < 12 * 60);
    return { state, text: soon ? texts.openUntil(minutes) : texts.openUntilDay(minutes, weekday) };
  }
  if (days === 0) return { state, text: texts.opensToday(minutes) };
  return { state, text: days === 1 ? texts.opensTomorrow(minutes) : texts.opensOn(minutes, weekday) };
}
