import { clockAt } from '../../../events/directory/local-time.ts';
import { statusSomewhere, type OpeningStatus, type Week } from '../../../events/directory/opening-status.ts';
import type { Texts } from '../../pages/frame/texts.ts';

type OpeningTexts = Texts['opening'];

/** One line that says whether a place is open. */
export interface OpeningLine {
  readonly state: 'open' | 'closed' | 'unknown';
  readonly text: string;
}

/**
 * "Open until 5:00 pm", "Closed now, opens 9:00 am tomorrow": times are on the clock of the place, which is named where the
 * record has several and these are the hours of one.
 */
export function openingLine(week: Week, now: Date, texts: OpeningTexts): OpeningLine {
  const { at, ...status } = statusSomewhere(week, now);
  const { state, text } = lineOf({ ...week, ...at }, status, now, texts);
  const name = at && (week.locations ?? []).length > 1 && (at.name ?? at.street ?? at.city);
  return { state, text: name ? `${text} (${name})` : text };
}

function lineOf(week: Week, status: OpeningStatus, now: Date, texts: OpeningTexts): OpeningLine {
  if (week.availability === 'temporarily_closed') return { state: 'closed', text: texts.temporarilyClosed };
  if (week.availability === 'defunct') return { state: 'closed', text: texts.defunct };
  const { state } = status;
  if (state === 'unknown') return { state, text: texts.unknown };
  const at = state === 'open' ? status.until : status.opens;
  if (at === undefined) return { state, text: state === 'open' ? texts.open : texts.closed };
  const zone = week.time_zone ?? 'UTC';
  const { day, weekday, minutes } = clockAt(zone, at);
  const days = day - clockAt(zone, now).day;
  const words = {
    theTime: inSentence(minutes, texts.theTime, texts),
    atTime: inSentence(minutes, texts.atTime, texts),
    day: texts.days[weekday],
  };
  if (state === 'open') {
    // The midnight that ends tonight is of today for whoever reads it.
    const soon = days === 0 || (days === 1 && minutes < 12 * 60);
    return { state, text: soon ? texts.openUntil(words) : texts.openUntilDay(words) };
  }
  if (days === 0) return { state, text: texts.opensToday(words) };
  return { state, text: days === 1 ? texts.opensTomorrow(words) : texts.opensOn(words) };
}

/** The full minutes of a day. */
const ofDay = 24 * 60;
/** On the clock of twelve hours. */
const hourOf = (minutes: number): number => Math.floor(minutes / 60) % 12 || 12;

/** Minutes after midnight as a time: "5:00 pm". */
export function timeOf(minutes: number, { time }: OpeningTexts): string {
  if (minutes % ofDay === 0) return time.midnight;
  const values = { hour: hourOf(minutes), minute: String(minutes % 60).padStart(2, '0') };
  return minutes % ofDay < ofDay / 2 ? time.am(values) : time.pm(values);
}

/** The time as it stands in a sentence: some languages have an article before it, and of one o'clock another one. */
const inSentence = (minutes: number, words: OpeningTexts['theTime'], texts: OpeningTexts): string =>
  minutes % ofDay === 0
    ? words.midnight
    : words.hour({ time: timeOf(minutes, texts), count: hourOf(minutes) });
