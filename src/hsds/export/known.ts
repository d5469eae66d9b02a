type Known<Part> = { [Name in keyof Part]?: Exclude<Part[Name], undefined> };

/** The object without members that are undefined or an empty list: HSDS has no null, and absent means unknown. */
export const known = <Part extends object>(part: Part): Known<Part> =>
  Object.fromEntries(
    Object.entries(part).filter(
      ([, value]: [string, unknown]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Known<Part>;
