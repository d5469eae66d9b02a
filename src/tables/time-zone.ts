/** Lower-case names of zones that were found. There are about 600. */
const validZones = new Set<string>();

/** Whether this is the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  // Intl also takes offsets such as +01:00, which say nothing about daylight saving.
  if (!/^[a-z]/i.test(name)) return false;
  const lowered = name.toLowerCase();
  if (validZones.has(lowered)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    // RangeError: there is no such zone.
    return false;
  }
  validZones.add(lowered);
  return true;
}

export const timeZoneMessage = 'must be the IANA name of a time zone, such as America/New_York';
