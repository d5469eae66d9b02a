/** `second`: where the order of what happened matters. The last two are for charts, of the last days and hours. */
export type TimeStyle = 'day' | 'minute' | 'second' | 'chart day' | 'chart hour';

/** How somebody reads times. */
export interface Clock {
  /** The language and its region, which decide the form of a date (BCP 47). */
  readonly locale: string;
  /** An IANA name. */
  readonly zone: string;
  /** The text names the zone: it may not be the reader's own. A day is written without. */
  readonly namesZone: boolean;
}

/** The form that nobody reads as another day, where the region is not known. */
export const anyRegion = 'en-GB';

/** Regions of English and how they write dates. */
export const regions: readonly string[] = [
  ...[anyRegion, 'en-US', 'en-CA', 'en-AU', 'en-NZ', 'en-IE', 'en-IN', 'en-ZA'],
];

/** The only place that writes a time for people: pages and emails have one form. */
export function shownTime(at: Date, style: TimeStyle, { locale, zone, namesZone }: Clock): string {
  const text = formatOf(locale, zone, style).format(at);
  return namesZone && !style.endsWith('day') ? `${text} ${zoneName(at, zone)}` : text;
}

/** In an email: in the zone of the installation, which it names. */
export const mailTime = (at: string, zone = 'UTC'): string =>
  shownTime(new Date(at), 'minute', { locale: anyRegion, zone, namesZone: true });

/** A calendar day, which is the same in every zone. `day`: YYYY-MM-DD. */
export const shownDay = (
  day: string,
  locale = anyRegion,
  style: Extract<TimeStyle, 'day' | 'chart day'> = 'day',
): string => shownTime(new Date(`${day}T00:00:00Z`), style, { locale, zone: 'UTC', namesZone: false });

/** Names of zones by zone and quarter of an hour: within one, no zone changes its name. To ask for one takes 9 µs. */
const zoneNames = new Map<string, string>();
const quarterMs = 15 * 60_000;

/** What a zone is called at a time: UTC, EST, GMT+2. */
function zoneName(at: Date, zone: string): string {
  const key = `${zone} ${Math.floor(at.getTime() / quarterMs)}`;
  const cached = zoneNames.get(key);
  if (cached !== undefined) return cached;
  const parts = formatOf('en-US', zone, 'zone').formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  if (zoneNames.size >= mostNames) zoneNames.clear();
  zoneNames.set(key, name);
  return name;
}
const mostNames = 1_000;

const styles = {
  day: { dateStyle: 'long' },
  minute: { dateStyle: 'long', timeStyle: 'short' },
  second: { dateStyle: 'long', timeStyle: 'medium' },
  'chart day': { day: 'numeric', month: 'long' },
  'chart hour': { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  zone: { timeZoneName: 'short' },
} as const satisfies Record<TimeStyle | 'zone', Intl.DateTimeFormatOptions>;

/** To make one takes 50 µs. Readers have few zones; whoever sends many must not fill the memory. */
const formats = new Map<string, Intl.DateTimeFormat>();
const mostFormats = 200;

function formatOf(locale: string, zone: string, style: keyof typeof styles): Intl.DateTimeFormat {
  const name = `${locale} ${zone} ${style}`;
  const made = formats.get(name);
  if (made) return made;
  if (formats.size >= mostFormats) formats.clear();
  const format = new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: zone });
  formats.set(name, format);
  return format;
}
