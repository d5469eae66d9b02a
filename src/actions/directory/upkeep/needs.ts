import { z } from 'zod';
import { isWeek } from '../../../needs/weeks-and-days.ts';
import { otherPlaces, otherWords, type Need } from '../../../needs/need.ts';
import { needsIn, type CountedNeed, type CountedWeeks } from '../../../needs/published.ts';
import type { SideStore } from '../../../stores/side/port.ts';

/**
 * Whoever keeps a directory: its reviewers and admins, administrators of the installation, and keys of teams for which an
 * administrator has enabled the scope. People search all directories of an installation at once, so all of them see the same.
 */
export const readsNeeds = { right: 'review records', scope: 'needs:read' } as const;

/** The periods that the page offers, in weeks: a week, four, a quarter, a year. */
export const shownPeriods = [1, 4, 13, 52] as const;
/** Two years, which are kept. */
export const mostWeeks = 104;

export const week = z.string().refine(isWeek, { error: 'must be a week such as 2026-W48' });

/** Which of what people looked for. */
export interface NeedsQuestion {
  /** How many weeks up to `week`. */
  readonly weeks: number;
  /** Absent: the newest that is over. */
  readonly week?: string | undefined;
  readonly kind?: string | undefined;
  /** As it is written in the answer. */
  readonly place?: string | undefined;
}

/** What people looked for and did not find, most often first. */
export async function neededIn(
  side: SideStore,
  { weeks, week: until, kind, place }: NeedsQuestion,
): Promise<CountedWeeks & { readonly all: readonly CountedNeed[] }> {
  const counted = await needsIn(side, { until, weeks });
  const needs = counted.needs.filter(
    (each) =>
      (kind === undefined || each.kind === kind) &&
      (place === undefined || placeName(each).toLowerCase() === place.toLowerCase()),
  );
  return { ...counted, needs, all: counted.needs };
}

/** The words of a need, as people read them: "Dentist and free clinic". */
export function wordsOf({ words }: Need): string {
  const text = words
    .map((word) => (word === otherWords ? 'other words' : word.replaceAll('-', ' ')))
    .join(' and ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A place, as people read it. */
export const placeName = ({ place }: Need): string =>
  place === ''
    ? 'No place given'
    : place === otherPlaces
      ? 'Other places'
      : /^\d{3}$/.test(place)
        ? `Postal code ${place}…`
        : place;
