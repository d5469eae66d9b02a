import {
  formDefinition,
  type FormDefinition,
  type TextByLanguage,
} from '../../../events/forms/definition.ts';
import { en } from './texts.ts';

/** One text of a form, for whoever writes it in another language. */
export interface TranslatedText {
  /** The name of its control. */
  readonly name: string;
  readonly label: string;
  /** In the first language of the form. */
  readonly original: string;
  readonly isLong: boolean;
  readonly value: string;
}

/** The texts of one part of a form: a heading, and what stands below it. */
export interface TranslatedPart {
  readonly heading: string;
  readonly texts: readonly TranslatedText[];
}

const texts = en.builder;

/** Names of controls. Keys have no hyphen in them. */
const nameOf = (what: 'label' | 'help', key: string): string => `${what}-${key}`;
const optionName = (key: string, option: string): string => `option-${key}-${option}`;

/** All texts of a form, with those of `language`. `typed`: in place of what is published, by the names of controls. */
export function partsOf(
  { languages: [first = 'en'], title, intro, fields, thanks }: FormDefinition,
  language: string,
  typed?: URLSearchParams,
): TranslatedPart[] {
  const text = (name: string, label: string, of: TextByLanguage | undefined, isLong = false) => ({
    name,
    label,
    original: of?.[first] ?? '',
    isLong,
    value: (typed ? typed.get(name) : of?.[language]) ?? '',
  });
  const written = (all: readonly TranslatedText[]) => all.filter(({ original }) => original !== '');
  return [
    {
      heading: texts.whole,
      texts: written([
        text('title', texts.title, title),
        text('intro', texts.intro, intro, true),
        text('thanks', texts.thanks, thanks, true),
      ]),
    },
    ...fields.map(({ key, label, help, options = [] }, place) => ({
      heading: texts.field(place + 1),
      texts: written([
        text(nameOf('label', key), texts.label, label),
        text(nameOf('help', key), texts.help, help),
        ...options.map((each, nth) => text(optionName(key, each.key), texts.choice(nth + 1), each.label)),
      ]),
    })),
  ];
}

export type CheckedTranslation =
  | { readonly definition: FormDefinition }
  /** By the names of the controls. */
  | { readonly problems: Readonly<Record<string, string>> };

/** The form with the texts that were typed in a language. Without any of them it no longer has the language. */
export function translated(
  before: FormDefinition,
  language: string,
  typed: URLSearchParams,
): CheckedTranslation {
  const written = new Set<string>();
  const inLanguage = (name: string, { [language]: _, ...others }: TextByLanguage): TextByLanguage => {
    const text = (typed.get(name) ?? '').replace(/\r\n?/g, '\n').trim();
    if (text === '') return others;
    written.add(name);
    return { ...others, [language]: text };
  };
  const { title, intro, thanks } = before;
  const parsed = formDefinition.safeParse({
    ...before,
    title: inLanguage('title', title),
    ...(intro ? { intro: inLanguage('intro', intro) } : {}),
    ...(thanks ? { thanks: inLanguage('thanks', thanks) } : {}),
    fields: before.fields.map((field) => ({
      ...field,
      label: inLanguage(nameOf('label', field.key), field.label),
      ...(field.help ? { help: inLanguage(nameOf('help', field.key), field.help) } : {}),
      ...(field.options
        ? {
            options: field.options.map((each) => ({
              ...each,
              label: inLanguage(optionName(field.key, each.key), each.label),
            })),
          }
        : {}),
    })),
    languages: [
      ...before.languages.filter((each) => each !== language),
      ...(written.size > 0 ? [language] : []),
    ],
  });
  if (parsed.success) return { definition: inOrder(before, parsed.data) };
  const problems: Record<string, string> = {};
  for (const { path } of parsed.error.issues) problems[placeOf(before, path)] = problemOf(path);
  return { problems };
}

/** A language that the form has already keeps its place among the others. */
function inOrder({ languages: before }: FormDefinition, definition: FormDefinition): FormDefinition {
  const had = before.filter((each) => definition.languages.includes(each));
  return { ...definition, languages: [...new Set([...had, ...definition.languages])] };
}

/** The control that belongs to a part of the definition. */
function placeOf({ fields }: FormDefinition, [part, place, member, nth]: readonly PropertyKey[]): string {
  if (part === 'title' || part === 'intro' || part === 'thanks') return part;
  const field = part === 'fields' && typeof place === 'number' ? fields[place] : undefined;
  if (!field) return 'form';
  const option = member === 'options' && typeof nth === 'number' ? field.options?.[nth] : undefined;
  if (option) return optionName(field.key, option.key);
  return nameOf(member === 'help' ? 'help' : 'label', field.key);
}

function problemOf([part, , member]: readonly PropertyKey[]): string {
  const { problems } = en;
  if (part === 'title') return problems.title;
  if (part === 'intro' || part === 'thanks') return problems.text;
  if (part === 'languages') return problems.languages;
  if (part !== 'fields') return problems.large;
  return member === 'help' ? problems.help : problems.translatedLine;
}
