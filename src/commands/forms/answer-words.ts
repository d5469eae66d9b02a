import type { FormDefinition, TextByLanguage } from '../../events/forms/definition.ts';
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
