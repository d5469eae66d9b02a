const minute = 60_000;
/** Daylight saving begins and ends at whole quarters of an hour. */
const quarter = 15 * minute;
/** The most offsets that are kept for a zone: about three weeks of quarters, or years of the days around them. */
const kept = 2_000;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Offsets in milliseconds by quarter of an hour since 1970. */
  readonly offsets: Map<number, number>;
}

/** By name. There are about 600 zones. Making a formatter takes 50 µs, and asking it 1 µs. */
const zones = new Map<string, Zone>();

/**
 * How far the clock at a place is ahead of UTC, in milliseconds.
 * @throws RangeError when there is no such zone
 */
export function offsetAt(timeZone: string, instant: number): number {
  const zone = zones.get(timeZone) ?? opened(timeZone);
  const place = Math.floor(instant / quarter);
  const known = zone.offsets.get(place);
  if (known !== undefined) return known;
  if (zone.offsets.size >= kept) zone.offsets.clear();
  const offset = read(zone.format.format(place * quarter));
  zone.offsets.set(place, offset);
  return offset;
}

function opened(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(timeZone, zone);
  return zone;
}

/** `11/22/2026, GMT-05:00`. UTC itself is `GMT`. */
function read(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * minute + Number(seconds) * 1_000;
  return sign === '-' ? -size : size;
}

const day = 86_400_000;

/**
 * The instant at which the clock at a place shows a time. `shown`: that time, as if it were in UTC. Of a time that
 * comes twice, the `first` or the `last`; of one that is skipped, the moment of the change.
 */
export function instantOf(timeZone: string, shown: number, which: 'first' | 'last'): number {
  // No zone is a day ahead of UTC or behind it, so the change, if there is one, is between these two.
  const before = offsetAt(timeZone, shown - day);
  const after = offsetAt(timeZone, shown + day);
  if (before === after) return shown - before;
  const [early, late] = [shown - before, shown - after];
  const isEarly = offsetAt(timeZone, early) === before;
  const isLate = offsetAt(timeZone, late) === after;
  if (isEarly && isLate) return which === 'first' ? Math.min(early, late) : Math.max(early, late);
  if (isEarly) return early;
  if (isLate) return late;
  return changeBetween(timeZone, Math.min(early, late), Math.max(early, late));
}

/** The moment after `from` at which the offset changes. */
function changeBetween(timeZone: string, from: number, to: number): number {
  const old = offsetAt(timeZone, from);
  let [low, high] = [Math.floor(from / quarter), Math.ceil(to / quarter)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timeZone, middle * quarter) === old) low = middle;
    else high = middle;
  }
  return high * quarter;
}
