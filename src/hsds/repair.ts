import type { z } from 'zod';
import { personalRows, unsealedFields, type UnsealedFields } from '../events/directory/resource-fields.ts';
import { quoted } from './text.ts';

/** Fields that are not checked yet. */
export type Draft = Partial<Record<keyof UnsealedFields, unknown>>;

type Loose = Readonly<Record<string, unknown>>;
type Container = Record<string | number, unknown>;

/** Each round removes or cuts what the schema refuses. A part without its required member is refused in the next. */
const rounds = 4;

/**
 * The draft without what the schema refuses: long texts are cut, everything else is left out, as little of it as
 * possible. Undefined when the name is not usable.
 */
export const repaired = (draft: Draft, warn: (reason: string) => void): UnsealedFields | undefined =>
  repairedBy(
    unsealedFields,
    personalRows.map(({ name }) => name),
    draft,
    warn,
  );

/** The same by another schema. `personal`: the fields that are about persons. */
export function repairedBy<Fields>(
  schema: z.ZodType<Fields>,
  personal: readonly string[],
  draft: Loose,
  warn: (reason: string) => void,
): Fields | undefined {
  const better: Loose = structuredClone(draft);
  for (let round = 0; round < rounds; round++) {
    const { data, error } = schema.safeParse(withoutEmpty(better));
    if (!error) return data;
    // From the last one on, so that the places of earlier ones in a list stay the same.
    const handled = new Set<string>();
    for (const issue of [...error.issues].reverse()) repair(better, personal, issue, handled, warn);
  }
  return undefined;
}

/** `handled`: what earlier issues of this round have removed or cut, so that what has moved up is left alone. */
function repair(
  draft: Loose,
  personal: readonly string[],
  issue: z.core.$ZodIssue,
  handled: Set<string>,
  warn: (reason: string) => void,
): void {
  const path = issue.path as (string | number)[];
  if (path.some((_, depth) => handled.has(path.slice(0, depth + 1).join('.')))) return;
  const { parent, key, value, depth } = deepestIn(draft, path);
  const field = path.join('.');
  handled.add(path.slice(0, depth).join('.'));
  if (issue.code === 'too_big' && typeof value === 'string' && !Array.isArray(parent)) {
    warn(`the ${field} is longer than ${Number(issue.maximum)} characters; it was cut`);
    parent[key] = shorten(value, Number(issue.maximum));
    return;
  }
  if (issue.code === 'too_big' && Array.isArray(value)) {
    const kept = Number(issue.maximum);
    warn(`${field}: ${value.length - kept} more than ${kept} left out`);
    parent[key] = value.slice(0, kept);
    return;
  }
  const top = path[0] ?? '';
  warn(
    path.length > 1
      ? `${String(top)}: ${shown(personal, top, value)} left out: ${issue.message}`
      : `the ${field} ${shown(personal, top, value)} left out: ${issue.message}`,
  );
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

/** The deepest part of the path that exists, with what contains it. A missing member is the fault of its object. */
function deepestIn(draft: Loose, path: readonly (string | number)[]) {
  let parent = draft as Container;
  let key = path[0] ?? '';
  let depth = 1;
  for (const next of path.slice(1)) {
    const value = parent[key];
    if (typeof value !== 'object' || value === null || (value as Container)[next] === undefined) break;
    parent = value as Container;
    key = next;
    depth += 1;
  }
  return { parent, key, value: parent[key], depth };
}

/** What is about persons is not quoted: reports are kept and passed on. */
const shown = (personal: readonly string[], field: string | number, value: unknown): string =>
  personal.some((name) => name === field) ? 'a value' : quoted(written(value));

const written = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

/** Without empty texts and lists. */
export const withoutEmpty = <Name extends string>(
  draft: Partial<Record<Name, unknown>>,
): Partial<Record<Name, unknown>> =>
  Object.fromEntries(
    Object.entries(draft).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<Record<Name, unknown>>;

/** Cut at the end of a word, with an ellipsis. */
function shorten(text: string, maximum: number): string {
  const cut = text.slice(0, maximum - 1).replace(/[\ud800-\udbff]$/, '');
  const words = cut.replace(/\s+\S*$/, '');
  return `${words.length > maximum / 2 ? words : cut}…`;
}
