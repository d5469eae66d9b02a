import { readFileSync } from 'node:fs';
import { TableError } from './read-table.ts';
import { spokenTexts, type SpokenTexts, type Values, type WrittenTexts } from './spoken-texts.ts';

/** The texts that are filled with values, and the names of these, in the groups of the texts. */
export interface ValueNames {
  readonly [key: string]: readonly string[] | ValueNames;
}

/** Texts by the type of their file: those that name values in braces are functions of these. */
export type Texts<Written, Names> = {
  readonly [Key in keyof Written]: Key extends keyof Names
    ? Names[Key] extends readonly (infer Name extends string)[]
      ? (values: Readonly<Record<Name, Values[string]>>) => string
      : Texts<Written[Key], Names[Key]>
    : Written[Key];
};

/**
 * The texts of each language, from `languages/{language}/texts.json`. Throws `TableError` for a file that has not
 * the texts of the first language, or does not name the values that the code fills in.
 */
export function readTexts(
  languages: readonly string[],
  valueNames: ValueNames,
): ReadonlyMap<string, WrittenTexts> {
  const files = languages.map((language) => {
    const file = `languages/${language}/texts.json`;
    return { language, file, text: readFileSync(new URL(file, import.meta.url), 'utf8') };
  });
  return new Map(checkedTexts(files, valueNames).map((texts, at) => [languages[at] as string, texts]));
}

interface TextFile {
  readonly language: string;
  readonly file: string;
  readonly text: string;
}

/** The texts in the files, when each file fits the first one and names these values. */
export function checkedTexts(files: readonly TextFile[], valueNames: ValueNames): WrittenTexts[] {
  const parsed = files.map(parse);
  const [model = {}] = parsed.map(({ texts }) => texts);
  return parsed.map(({ texts, language, fault }) => {
    const forms = pluralForms(language);

    const checkGroup = (group: WrittenTexts, like: WrittenTexts, names: ValueNames, path: string): void => {
      const expected = new Set([...Object.keys(like), ...Object.keys(names)]);
      for (const key of expected) {
        if (!Object.hasOwn(group, key)) throw fault(path, `${inside(path, key)} is missing`);
      }
      for (const [key, value] of Object.entries(group)) {
        const at = inside(path, key);
        if (!expected.has(key)) throw fault(at, `${at} is no text that there is in ${files[0]?.file ?? ''}`);
        check(value, like[key] ?? '', names[key], at);
      }
    };

    const check = (
      value: WrittenTexts[string],
      like: WrittenTexts[string],
      names: ValueNames[string] | undefined,
      at: string,
    ): void => {
      if (isNames(names)) {
        checkSentence(value, names, at);
      } else if (typeof like === 'object') {
        if (typeof value !== 'object') throw fault(at, `${at} must be a group of texts`);
        checkGroup(value, like, names ?? {}, at);
      } else {
        if (typeof value !== 'string' || value === '') throw fault(at, `${at} must be a text`);
        if (value.includes('{')) throw fault(at, `${at} names a value in braces, which nothing fills in`);
      }
    };

    const checkSentence = (value: WrittenTexts[string], names: readonly string[], at: string): void => {
      if (typeof value === 'object') {
        if (!('one' in value && 'other' in value) || Object.keys(value).some((form) => !forms.includes(form)))
          throw fault(at, `${at} must be a text, or a text for each of ${forms.join(', ')}`);
        for (const [form, text] of Object.entries(value)) checkSentence(text, names, inside(at, form));
        return;
      }
      const found = [...value.matchAll(/\{([^}]*)\}?/g)].map(([, name = '']) =>
        name.replace(/:lowercase$/, ''),
      );
      const wrong = found.filter((name) => !names.includes(name));
      // `count` may only choose the plural form.
      const lacking = names.filter((name) => name !== 'count' && !found.includes(name));
      if (wrong.length + lacking.length > 0)
        throw fault(at, `${at} must name the values ${braced(names)}; found ${braced(found) || 'none'}`);
    };

    checkGroup(texts, model, valueNames, '');
    return texts;
  });
}

/** The plural forms that a language may have. Of one that the ICU does not know, all: it would answer with another language's. */
const pluralForms = (language: string): readonly string[] =>
  Intl.PluralRules.supportedLocalesOf(language).length > 0
    ? new Intl.PluralRules(language).resolvedOptions().pluralCategories
    : ['zero', 'one', 'two', 'few', 'many', 'other'];

const isNames = (names: ValueNames[string] | undefined): names is readonly string[] => Array.isArray(names);
const inside = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
const braced = (names: readonly string[]): string => names.map((name) => `{${name}}`).join(', ');

function parse({ language, file, text }: TextFile) {
  const lines = linesOf(file, text);
  try {
    return {
      language,
      texts: JSON.parse(text) as WrittenTexts,
      fault: (path: string, what: string) => new TableError(file, lines.get(path) ?? 1, what),
    };
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new TableError(file, Number(/line (\d+)/.exec(message)?.[1] ?? 1), `is no JSON: ${message}`);
  }
}

/** In which line each text and group stands. JSON allows a key twice, of which one would be lost. */
function linesOf(file: string, text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const path: string[] = [];
  let line = 1;
  for (const [token, key] of text.matchAll(/\n|\{|\}|"((?:[^"\\\n]|\\.)*)"\s*:|"(?:[^"\\\n]|\\.)*"/g)) {
    if (token === '\n') line += 1;
    else if (token === '{') path.push('');
    else if (token === '}') path.pop();
    else if (key !== undefined) {
      path[path.length - 1] = key;
      const at = path.join('.');
      if (lines.has(at)) throw new TableError(file, line, `${at} stands in line ${lines.get(at) ?? 1} too`);
      lines.set(at, line);
    }
  }
  return lines;
}

/** One group of the texts of a language, for what is no page. `readTexts` has checked it. */
export function spokenGroup(language: string, group: string): SpokenTexts {
  const file = new URL(`languages/${language}/texts.json`, import.meta.url);
  const written = (JSON.parse(readFileSync(file, 'utf8')) as WrittenTexts)[group];
  if (typeof written !== 'object')
    throw new TableError(`languages/${language}/texts.json`, 1, `${group} is missing`);
  return spokenTexts(written, language);
}
