/** The members that may be undefined become optional, as `exactOptionalPropertyTypes` asks. */
export type Defined<Value extends object> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key];
} & {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined>;
};

/** An object without its undefined members, in the same order. `null`, `false`, 0 and '' stay. */
export function defined<const Value extends object>(value: Value): Defined<Value> {
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) kept[name] = member;
  return kept as Defined<Value>;
}
