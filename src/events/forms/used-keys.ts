import type { FormDefinition } from './definition.ts';
import { CommandRefused } from '../../ground/refusals.ts';

/** The keys of all fields that a form has ever had, each with those of all its options. */
export type UsedKeys = ReadonlyMap<string, ReadonlySet<string>>;

export const noKeys: UsedKeys = new Map();

/** With the keys of one more version. */
export function withKeysOf(used: UsedKeys, { fields }: FormDefinition): UsedKeys {
  const all = new Map(used);
  for (const { key, options = [] } of fields)
    all.set(key, new Set([...(used.get(key) ?? []), ...options.map((each) => each.key)]));
  return all;
}

/**
 * Refuses a revision that uses a key again that an earlier version had and the present one has not: the answers to both
 * would be taken for answers to one question, or for one choice.
 *
 * @throws CommandRefused invalid, naming the key
 */
export function refuseRemovedKeys(used: UsedKeys, present: FormDefinition, next: FormDefinition): void {
  for (const [nth, { key, options = [] }] of next.fields.entries()) {
    const before = present.fields.find((each) => each.key === key);
    if (!before && used.has(key)) throw removed(`fields.${nth}.key`, key, 'a field');
    const had = before?.options ?? [];
    for (const [place, option] of options.entries())
      if (used.get(key)?.has(option.key) && !had.some((each) => each.key === option.key))
        throw removed(`fields.${nth}.options.${place}.key`, option.key, `an option of ${key}`);
  }
}

const removed = (place: string, key: string, what: string) =>
  new CommandRefused(
    'invalid',
    `${place}: ${key} was the key of ${what} that the form no longer has. Choose another key, so that old answers keep their meaning.`,
  );
