/** Where a place is, or why that is not known. */
export type Coordinates =
  { readonly latitude: number; readonly longitude: number } | { readonly problem: string } | undefined;

/** Undefined when the source gives none. */
export function coordinatesOf(latitude: string, longitude: string): Coordinates {
  if (latitude === '' && longitude === '') return undefined;
  const [north, east] = [degreesOf(latitude), degreesOf(longitude)];
  const problem = (why: string) => ({
    problem: `the coordinates ${latitude || '–'}, ${longitude || '–'} ${why}; left out`,
  });
  if (latitude === '' || longitude === '') return problem('are incomplete');
  if (north === undefined || east === undefined) return problem('are not numbers');
  if (Math.abs(north) > 90 || Math.abs(east) > 180) return problem('are out of range');
  if (north === 0 && east === 0) return problem('are in the ocean');
  return { latitude: north, longitude: east };
}

const degreesOf = (written: string): number | undefined =>
  /^[+-]?\d{1,3}(\.\d+)?$/.test(written) ? Number(written) : undefined;
