/** What texts are filled with, by the names that stand in braces. */
export type Values = Readonly<Record<string, string | number>>;

/** Texts as people write them in a file, in groups. A group with `one` is a text in its plural forms (Intl.PluralRules). */
export interface WrittenTexts {
  readonly [key: string]: string | WrittenTexts;
}

/** Texts as code uses them: those that name values in braces are functions of these. */
export interface SpokenTexts {
  readonly [key: string]: string | ((values: Values) => string) | SpokenTexts;
}

/** The texts of a language. Of a text with plural forms, the value `count` chooses one. */
export function spokenTexts(written: WrittenTexts, language: string): SpokenTexts {
  const rules = new Intl.PluralRules(language);
  const spoken = (text: WrittenTexts[string]): SpokenTexts[string] => {
    if (typeof text !== 'string' && !text['one'])
      return Object.fromEntries(Object.entries(text).map(([key, each]) => [key, spoken(each)]));
    if (typeof text === 'string' && !text.includes('{')) return text;
    return (values) => {
      const form =
        typeof text === 'string' ? text : (text[rules.select(values['count'] as number)] ?? text['other']);
      // `{name}`, or `{name:lowercase}` where the language writes a name small within a sentence.
      return (form as string).replace(/{(\w+)(:?)\w*}/g, (_, name: string, lowercase: string) => {
        const value = String(values[name]);
        return lowercase ? value.toLowerCase() : value;
      });
    };
  };
  return spoken(written) as SpokenTexts;
}
