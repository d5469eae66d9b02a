/** A field that the source and a person have changed, each to something else. */
export interface FieldConflict<Name extends string = string> {
  readonly field: Name;
  /** What the source said before. Undefined: nothing. */
  readonly before: unknown;
  /** What the source says now. */
  readonly theirs: unknown;
  /** What stands. */
  readonly mine: unknown;
  /** Whether what stands was kept, or what the source says was taken. */
  readonly resolved: 'kept' | 'taken';
}

export interface Merged<Fields> {
  readonly fields: Fields;
  readonly conflicts: readonly FieldConflict<keyof Fields & string>[];
}

/** What is to be done with a conflict in a field. */
export type OnConflict = (field: string) => 'keep' | 'take';

/** Three states of the same record. */
export interface ThreeWays<Fields> {
  /** What the source said last. */
  readonly base: Fields;
  /** What the source says now. */
  readonly theirs: Fields;
  /** What stands. */
  readonly mine: Fields;
}

/**
 * Merges what a source says of a record into what stands, field by field. A field of which the source says the same as
 * before stays as it stands. A field that stands as the source gave it becomes what the source says now. Where both
 * have changed, what stands is kept unless it is to be taken.
 *
 * `together`: fields that make sense together alone, such as opening hours and their words. They are merged as one.
 */
export function mergeThreeWay<Fields extends object>(
  ways: ThreeWays<Fields>,
  onConflict: OnConflict = () => 'keep',
  together: readonly (readonly (keyof Fields & string)[])[] = [],
): Merged<Fields> {
  const { base, theirs, mine } = ways;
  const fields: Partial<Fields> = {};
  const conflicts: FieldConflict<keyof Fields & string>[] = [];
  for (const group of groupsOf(fieldsIn(mine, theirs, base), together)) {
    const differing = group.filter((field) => !areSame(theirs[field], mine[field]));
    const theyChanged = group.some((field) => !areSame(theirs[field], base[field]));
    const isConflict =
      theyChanged && differing.length > 0 && group.some((field) => !areSame(mine[field], base[field]));
    const takes = isConflict ? differing.some((field) => onConflict(field) === 'take') : theyChanged;
    const resolved = takes ? 'taken' : 'kept';
    if (isConflict)
      for (const field of differing)
        conflicts.push({ field, before: base[field], theirs: theirs[field], mine: mine[field], resolved });
    for (const field of group) {
      const value = (takes ? theirs : mine)[field];
      if (value !== undefined) fields[field] = value;
    }
  }
  return { fields: fields as Fields, conflicts };
}

/** What a source has no place for, it says as before. `covered`: the fields of which it can say something. */
export function withUncovered<Fields extends object>(
  theirs: Fields,
  base: Fields,
  covered: readonly string[],
): Fields {
  const others = Object.entries(base).filter(([name]) => !covered.includes(name));
  return { ...theirs, ...Object.fromEntries(others) };
}

/** The names, each alone or with those that are merged with it. */
export function groupsOf<Name extends string>(
  names: readonly Name[],
  together: readonly (readonly Name[])[],
): readonly (readonly Name[])[] {
  const grouped = new Set(together.flat());
  return [
    ...names.filter((name) => !grouped.has(name)).map((name) => [name]),
    ...together.map((group) => group.filter((name) => names.includes(name))),
  ].filter(({ length }) => length > 0);
}

/** The names of the fields of which any of the records says something. */
export function fieldsIn<Fields extends object>(...records: readonly Fields[]): (keyof Fields & string)[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))] as (keyof Fields & string)[];
}

/**
 * Values of fields are plain JSON whose members have the order of their schema. An empty list says as much as none: one is
 * left where the only person of a list was erased.
 */
export const areSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(withoutEmpty(one)) === JSON.stringify(withoutEmpty(other));

const withoutEmpty = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? undefined : value;
