const formats = new Map<string, Intl.DateTimeFormat>();

/** A day, or the day of an instant in UTC, as people write it. */
export function shownDate(date: string, locale: string): string {
  let format = formats.get(locale);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
    formats.set(locale, format);
  }
  return format.format(new Date(date));
}
