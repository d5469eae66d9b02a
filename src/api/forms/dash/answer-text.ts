import type { Answer } from '../../../events/forms/answers.ts';
import type { FormField } from '../../../events/forms/definition.ts';
import { en } from './texts.ts';

/** An answer in words: the labels of what was chosen. Undefined: the field was left empty. */
export function answerText(
  answer: Answer | undefined,
  { options = [] }: Pick<FormField, 'options'>,
  language: string,
): string | undefined {
  if (answer === undefined) return undefined;
  if (typeof answer === 'boolean') return answer ? en.answer.yes : en.answer.no;
  const chosen = (key: string) => options.find((each) => each.key === key)?.label[language] ?? key;
  return typeof answer === 'object' ? answer.map(chosen).join(', ') : chosen(String(answer));
}
