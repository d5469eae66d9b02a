import type { Reading } from './read.ts';
import { openingKey, sectionsOf, type Opening } from './week.ts';
import { writeOpenings } from './write.ts';

/** Whether the rows of a source and its own words say the same. */
export type Verdict =
  /** With the names of the sections of the text, and with those of its sections that the rows do not have. */
  | { readonly kind: 'agree'; readonly openings: readonly Opening[] }
  /** One of the two is wrong. `words`: what the text says, as far as it is understood. */
  | { readonly kind: 'disagree'; readonly words: string }
  /** Not everything in the text is understood, and the rest may say something else than the rows. */
  | { readonly kind: 'unconfirmed' };

/**
 * Compares openings by day and time. They agree when the rows say all that the text says, or all of one of its sections:
 * a source may structure only the hours of its office. A day that only one of the two has is a disagreement: it would
 * send people to a closed door, or keep them away from an open one.
 *
 * Of a text that is only partly understood: the rows agree when they are what the understood part says. Rows that say
 * more may be right or wrong: unconfirmed. A rest such as "By appointment only" may take the hours back: unconfirmed.
 * A text that says nothing of days and times ("Regular hours") is no hindrance.
 */
export function compared(rows: readonly Opening[], reading: Reading): Verdict {
  if (reading.openings.length === 0 && reading.unread.length === 0) return { kind: 'agree', openings: rows };
  const own = new Set(rows.map(openingKey));
  const covers = (openings: readonly Opening[]): boolean => {
    const keys = new Set(openings.map(openingKey));
    return keys.size === own.size && [...keys].every((key) => own.has(key));
  };
  if (covers(reading.openings) || sectionsOf(reading.openings).some(([, openings]) => covers(openings))) {
    if (reading.restricted) return { kind: 'unconfirmed' };
    return { kind: 'agree', openings: reading.understood === 'fully' ? merged(rows, reading) : rows };
  }
  const lacking = reading.openings.some((opening) => !own.has(openingKey(opening)));
  return lacking || reading.understood === 'fully'
    ? { kind: 'disagree', words: writeOpenings(reading.openings) }
    : { kind: 'unconfirmed' };
}

/** Rows with a note or dates of their own keep them; the others take the name of their section in the text. */
function merged(rows: readonly Opening[], { openings }: Reading): Opening[] {
  const sections = Map.groupBy(openings, openingKey);
  const own = new Set(rows.map(openingKey));
  const named = rows.flatMap((row) => {
    const ofSection = sections.get(openingKey(row)) ?? [];
    const plain = Object.keys(row.section).length === 0;
    return plain && ofSection.length > 0 ? ofSection : [row];
  });
  return [...named, ...openings.filter((opening) => !own.has(openingKey(opening)))];
}
