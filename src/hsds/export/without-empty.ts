type Present<Part> = { [Name in keyof Part]?: Exclude<Part[Name], undefined> };

/** The object without members that are undefined or an empty list: HSDS has no null, and absent means unknown. */
export function withoutEmpty<Part extends object>(part: Part): Present<Part> {
  const kept: Partial<Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(part) as [string, unknown][]) {
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) kept[name] = value;
  }
  return kept as Present<Part>;
}
