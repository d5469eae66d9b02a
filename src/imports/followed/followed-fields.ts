import { agingParts, type SourceConfirmed } from '../../events/directory/upkeep/aging-parts.ts';
import { firstDayOf } from '../../events/directory/upkeep/confirmation.ts';
import { resourceFieldRows, type UnsealedFields } from '../../events/directory/resource-fields.ts';
import { sourceDate } from '../../events/directory/source.ts';
import { repaired, type Draft } from '../../hsds/repair.ts';
import { cleanLine, cleanText } from '../../hsds/text.ts';

/**
 * The fields of which a feed says everything: what every key sees. What is about persons, and what team keys alone see, is
 * never taken from another directory.
 */
const rows = resourceFieldRows.filter(({ tier }) => tier === 'developer');
export const followedFields: readonly string[] = rows.map(({ name }) => name);

/** Of several lines; others have one. */
const ofLines: ReadonlySet<string> = new Set([
  ...(['description', 'hours', 'eligibility', 'cost', 'how_to_apply', 'alert'] as const),
]);

/**
 * The fields of a record of another directory, cleaned as those of a file are. What the schema refuses is left out, and said in
 * `warn`. Undefined: no record can be made of it.
 */
export function fieldsOfFollowed(
  record: Readonly<Record<string, unknown>>,
  warn: (reason: string) => void,
): UnsealedFields | undefined {
  const draft: Draft = {};
  for (const { name } of rows) {
    const value = record[name];
    if (value !== undefined && value !== null) draft[name] = cleaned(value, ofLines.has(name));
  }
  // The ids of its organizations mean nothing here.
  const { organization } = draft;
  if (typeof organization === 'object' && organization !== null)
    draft.organization = { ...organization, id: undefined };
  return repaired({ ...draft, ...confirmedDates(draft, record['confirmed']) }, warn);
}

/** Every text in a value, cleaned. Deeper than any field goes, it is left out. */
function cleaned(value: unknown, lines: boolean, depth = 0): unknown {
  if (typeof value === 'string') return lines ? cleanText(value) : cleanLine(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 6) return undefined;
  if (Array.isArray(value)) return value.map((each) => cleaned(each, lines, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      each === null ? undefined : cleaned(each, lines || /^(?:note|description)$/.test(name), depth + 1),
    ]),
  );
}

/**
 * When somebody there has confirmed the record, as the word of a source: a day is that of its check, what is less precise that
 * of its last change. What the record says itself counts where it is later.
 */
function confirmedDates(
  { last_verified, last_modified }: Draft,
  confirmed: unknown,
): Pick<Draft, 'last_verified' | 'last_modified'> {
  const on = sourceDate.safeParse((confirmed as { readonly on?: unknown } | undefined)?.on).data;
  if (on === undefined) return {};
  if (on.length < 10) return isLater(on, last_modified) ? { last_modified: on } : {};
  return isLater(on, last_verified) && isLater(on, last_modified) ? { last_verified: on.slice(0, 10) } : {};
}

/**
 * The parts that somebody there has confirmed later than the record as a whole, by the dates that it gives. What its source has
 * changed since is not confirmed, and a day that has not come says nothing. `at`: when it was read.
 */
export function confirmedParts(record: Readonly<Record<string, unknown>>, at: Date): SourceConfirmed {
  const confirmed = (record['confirmed'] ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    agingParts.flatMap((part) => {
      const { on, changed } = (confirmed[part] ?? {}) as {
        readonly on?: unknown;
        readonly changed?: unknown;
      };
      const date = sourceDate.safeParse(on).data;
      const isPast = date !== undefined && firstDayOf(date) <= at.toISOString().slice(0, 10);
      return isPast && changed === undefined ? [[part, date]] : [];
    }),
  );
}

const isLater = (on: string, date: unknown): boolean =>
  typeof date !== 'string' || firstDayOf(on) > firstDayOf(date);
