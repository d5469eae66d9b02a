import type { FormDefinition, FormField, TextByLanguage } from './definition.ts';
import type { Answers } from './answers.ts';

/** The words to which somebody gave an answer, in the first language of the form. */
export interface AnsweredWords {
  /** The question. */
  readonly label: string;
  /** The explanation below it. */
  readonly help?: string;
  /** The chosen options by their keys. */
  readonly options?: Readonly<Record<string, string>>;
}

/**
 * The words of the version that was filled in, for each answer by the key of its field. A later version may ask for
 * something else under the same key.
 */
export function wordsOf(definition: FormDefinition, answers: Answers): Record<string, AnsweredWords> {
  const [first = 'en'] = definition.languages;
  const text = (texts: TextByLanguage | undefined) => texts?.[first];
  const answered = definition.fields.filter(({ key }) => Object.hasOwn(answers, key));
  return Object.fromEntries(
    answered.map(({ key, label, help, options }): [string, AnsweredWords] => {
      const chosen = [answers[key]].flat();
      const explained = text(help);
      return [
        key,
        {
          label: text(label) ?? key,
          ...(explained === undefined ? {} : { help: explained }),
          ...(options && {
            options: Object.fromEntries(
              options
                .filter((each) => chosen.includes(each.key))
                .map((each) => [each.key, text(each.label) ?? each.key]),
            ),
          }),
        },
      ];
    }),
  );
}

/** Whether two versions of a field say the same, in every language that both are written in. */
export const hasSameWords = (one: FormField, other: FormField): boolean =>
  one.kind === other.kind &&
  isSameText(one.label, other.label) &&
  isSameText(one.help ?? {}, other.help ?? {}) &&
  (one.options ?? []).every(({ key, label }) => {
    const same = other.options?.find((each) => each.key === key);
    return !same || isSameText(label, same.label);
  });

/** Whether whoever has read one version has read all that the other asks and says before it is sent. */
export const asksTheSame = (one: FormDefinition, other: FormDefinition): boolean =>
  isSameText(one.intro ?? {}, other.intro ?? {}) &&
  one.fields.length === other.fields.length &&
  one.fields.every((field) => {
    const same = other.fields.find(({ key }) => key === field.key);
    return same !== undefined && hasSameWords(field, same);
  });

function isSameText(one: TextByLanguage, other: TextByLanguage): boolean {
  const [inOne, inOther] = [Object.keys(one), Object.keys(other)];
  if (inOne.length === 0 || inOther.length === 0) return inOne.length === inOther.length;
  return inOne.every((language) => other[language] === undefined || one[language] === other[language]);
}
