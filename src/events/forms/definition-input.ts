import { formDefinition, type FormDefinition } from './definition.ts';
import { CommandRefused } from '../../ground/refusals.ts';

/**
 * A form as somebody writes it in JSON. A text may be one string where the form has one language, and what is most
 * common may be left out: the language is then English, a field is not required, and no site may send the form.
 * @throws CommandRefused invalid, naming the part that is wrong
 */
export function readDefinition(written: unknown): FormDefinition {
  const parsed = formDefinition.safeParse(completed(written));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? issue.path.join('.') : 'the form';
  throw new CommandRefused('invalid', `${place}: ${issue?.message ?? 'is not valid'}.`);
}

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
