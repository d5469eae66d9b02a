import type { z } from 'zod';
import { formDefinition, type FormDefinition } from './definition.ts';
import { CommandRefused } from '../../ground/refusals.ts';

/**
 * A form as somebody writes it in JSON. A text may be one string where the form has one language, and what is most
 * common may be left out: the language is then English, a field is not required, and no site may send the form.
 * @throws CommandRefused invalid, naming the part that is wrong
 */
export function readDefinition(written: unknown): FormDefinition {
  const whole = completed(written);
  const parsed = formDefinition.safeParse(whole);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? issue.path.join('.') : 'the form';
  throw new CommandRefused('invalid', `${place}: ${issue ? sentenceOf(issue, whole) : 'is not valid'}.`);
}

/** What JSON must have in a place, in words. A record is texts by language. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'a text, or an object with a text for each language',
};

const verbs: Readonly<Record<string, string>> = { array: 'have', number: 'be' };

function sentenceOf(issue: z.core.$ZodIssue, whole: unknown): string {
  if (issue.code === 'invalid_type')
    return valueAt(whole, issue.path) === undefined
      ? 'is missing'
      : `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === 'unrecognized_keys') return `has no member ${issue.keys[0] ?? ''}`;
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return issue.message;
  const verb = verbs[issue.origin];
  const bound = issue.code === 'too_big' ? `most ${String(issue.maximum)}` : `least ${String(issue.minimum)}`;
  return verb === undefined ? issue.message : `must ${verb} at ${bound}`;
}

const valueAt = (whole: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<PropertyKey, unknown> | undefined)?.[name], whole);

function completed(written: unknown): unknown {
  if (!isObject(written)) return written;
  const languages = written['languages'] ?? ['en'];
  const first: unknown = Array.isArray(languages) ? languages[0] : undefined;
  const texts = (of: Readonly<Record<string, unknown>>, ...names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) =>
        typeof of[name] === 'string' && typeof first === 'string' ? [[name, { [first]: of[name] }]] : [],
      ),
    );
  const each = (list: unknown, make: (entry: Readonly<Record<string, unknown>>) => unknown) =>
    Array.isArray(list) ? list.map((entry: unknown) => (isObject(entry) ? make(entry) : entry)) : list;
  return {
    allowed_origins: [],
    ...written,
    languages,
    ...texts(written, 'title', 'intro', 'thanks'),
    fields: each(written['fields'], (field) => ({
      required: false,
      ...field,
      ...texts(field, 'label', 'help'),
      ...('options' in field
        ? { options: each(field['options'], (option) => ({ ...option, ...texts(option, 'label') })) }
        : {}),
    })),
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
