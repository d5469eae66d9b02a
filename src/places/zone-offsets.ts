import { offsetAt } from '../events/directory/local-time.ts';

/** Of this year: the rules of zones change seldom, and a source names the distances of now. */
const days = (year: number): readonly number[] => [Date.UTC(year, 0, 15), Date.UTC(year, 6, 15)];

const byZone = new Map<string, readonly string[]>();

/** The distances of a zone from UTC in winter and in summer: `-05:00`. */
export function offsetsOf(zone: string, year = new Date().getUTCFullYear()): readonly string[] {
  const key = `${year} ${zone}`;
  const cached = byZone.get(key);
  if (cached) return cached;
  const offsets = days(year).map((instant) => written(offsetAt(zone, instant) / 60_000));
  byZone.set(key, offsets);
  return offsets;
}

function written(minutes: number): string {
  const distance = Math.abs(minutes);
  const [hours, rest] = [Math.floor(distance / 60), distance % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
