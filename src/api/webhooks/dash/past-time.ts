import { en } from './texts.ts';

/** A time that a person typed, in UTC: a day, or a day and a time of day. It lies in the past. */
export function pastTime(text: string, now: Date): { readonly at: Date } | { readonly problem: string } {
  const [, day, clock = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(?:\s*(?:Z|UTC))?)?$/.exec(
      text.trim(),
    ) ?? [];
  const at = new Date(day === undefined ? Number.NaN : `${day}T${clock}Z`);
  // A day that a month does not have would be one of the next month.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day ?? ''))
    return { problem: en.problems.wrongTime };
  return at > now ? { problem: en.problems.future } : { at };
}
