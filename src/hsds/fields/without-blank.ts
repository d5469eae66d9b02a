/** Without members that are undefined, empty texts or empty lists. */
export const withoutBlank = <Part extends object>(
  part: Part,
): { [Name in keyof Part]?: Exclude<Part[Name], undefined> } =>
  Object.fromEntries(
    Object.entries(part).filter(
      ([, value]: [string, unknown]) =>
        value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as { [Name in keyof Part]?: Exclude<Part[Name], undefined> };

/** Each text once, in order, without empty ones. */
export const once = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];
