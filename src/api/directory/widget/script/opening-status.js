// Whether a place is open at an instant, by the same rules as src/events/directory/opening-status.ts. A test compares the
// two.

const minute = 60_000;
const quarter = 15 * minute;
const day = 24 * 60 * minute;
/** How far ahead the next opening, and the end of an opening, is looked for. */
const ahead = 7 * day;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** By name: its clock, and the offsets that were asked for. */
const zones = new Map();

/** By how many milliseconds the clock of a zone is ahead of UTC. It changes only at a full quarter of an hour. */
function offsetAt(time, zone) {
  if (!zones.has(zone)) zones.set(zone, { clock: clockOf(zone), offsets: new Map() });
  const { clock, offsets } = zones.get(zone);
  const at = Math.floor(time / quarter) * quarter;
  if (!offsets.has(at)) {
    const part = {};
    for (const { type, value } of clock.formatToParts(at)) part[type] = Number(value);
    const shown = Date.UTC(part.year, part.month - 1, part.day, part.hour % 24, part.minute, part.second);
    offsets.set(at, shown - at);
  }
  return offsets.get(at);
}

const clockOf = (timeZone) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

/**
 * The instant at which the clock of a zone shows a time, given as if it were UTC. Of a time that comes twice, the first
 * or the last; of a time that is skipped, the moment of the change.
 */
function instantOf(shown, zone, last) {
  const around = [offsetAt(shown - day, zone), offsetAt(shown + day, zone)];
  if (around[0] === around[1]) return shown - around[0];
  const found = around
    .map((offset) => shown - offset)
    .filter((time) => time + offsetAt(time, zone) === shown);
  if (found.length > 0) return last ? Math.max(...found) : Math.min(...found);
  let change = Math.floor((shown - Math.max(...around)) / quarter) * quarter;
  while (change + offsetAt(change, zone) < shown) change += quarter;
  return change;
}

const weekdayOf = (midnight) => weekdays[midnight.getUTCDay()];
const minutesOf = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const dayOf = (time, zone) => Math.floor((time + offsetAt(time, zone)) / day);

/** The openings of the days around an instant. Undefined when no rule says anything of them. */
function openingsAround(rules, zone, now) {
  const today = dayOf(now, zone);
  const dates = [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8].map((away) => {
    const midnight = new Date((today + away) * day);
    return { away, midnight, date: midnight.toISOString().slice(0, 10), weekday: weekdayOf(midnight) };
  });
  const openings = [];
  let applies = false;
  for (const { days, opens, closes, valid_from: from, valid_to: to } of rules) {
    const [begin, end] = [minutesOf(opens) * minute, minutesOf(closes) * minute];
    for (const { away, midnight, date, weekday } of dates) {
      if ((from && date < from) || (to && date > to)) continue;
      applies = applies || away >= 0;
      if (!days.includes(weekday)) continue;
      const begins = instantOf(midnight.getTime() + begin, zone, false);
      const ends = instantOf(midnight.getTime() + end + (end > begin ? 0 : day), zone, true);
      if (ends > begins) openings.push({ begins, ends });
    }
  }
  const isOpen = openings.some(({ begins, ends }) => begins <= now && now < ends);
  return applies || isOpen ? openings : undefined;
}

/**
 * `{ state: 'open' | 'closed' | 'unknown', until?, opens? }` of a record. `until`: when it closes; `opens`: when it opens
 * next; each when that is within a week.
 */
export function statusAt({ opening_hours: rules, time_zone: zone, availability }, instant) {
  if (availability && availability !== 'open') return { state: 'closed' };
  const now = instant.getTime();
  try {
    const openings = zone && rules && rules.length > 0 ? openingsAround(rules, zone, now) : undefined;
    return openings ? statusIn(openings, now) : { state: 'unknown' };
  } catch {
    // A zone that this browser does not know.
    return { state: 'unknown' };
  }
}

function statusIn(openings, now) {
  let until = now;
  // Openings that overlap or touch are one.
  for (const { begins, ends } of openings.sort((one, other) => one.begins - other.begins)) {
    if (begins <= until && ends > until) until = ends;
  }
  if (until > now) return { state: 'open', ...(until - now > ahead ? {} : { until: new Date(until) }) };
  const next = openings.find(({ begins }) => begins > now);
  return { state: 'closed', ...(next && next.begins - now <= ahead ? { opens: new Date(next.begins) } : {}) };
}

/** How many days from now a time is at a place, the day of the week there, and the minutes after midnight. */
export function clockAt(time, now, zone) {
  const number = dayOf(time.getTime(), zone);
  return {
    daysAhead: number - dayOf(now.getTime(), zone),
    weekday: weekdayOf(new Date(number * day)),
    minutes: Math.floor((time.getTime() + offsetAt(time.getTime(), zone) - number * day) / minute),
  };
}
