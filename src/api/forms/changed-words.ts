import { asksTheSame, hasSameWords } from '../../events/forms/answer-words.ts';
import { formVersions } from '../../commands/forms-versions.ts';
import type { FormDocument } from '../../projections/forms.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { FormInput } from './form-input.ts';

/** The answers to keep when the words of a form have changed since they were read. Undefined: they are the same. */
export type ChangedWords = (
  form: FormDocument,
  input: FormInput,
) => Promise<FormInput['answers'] | undefined>;

/**
 * Nobody agrees to words that they have not read: what was filled in under other words is shown again under the present
 * ones. A box that was ticked and a choice that was made are to be made again there; what was written stays.
 */
export const changedWords =
  (store: EventStore): ChangedWords =>
  async ({ form, version, definition }, { answers, version: read }) => {
    if (read === undefined || read === version) return undefined;
    const before = (await formVersions(store, form)).get(read);
    if (before && asksTheSame(before, definition)) return undefined;
    const kept = new Map(answers);
    for (const field of definition.fields) {
      const same = before?.fields.find(({ key }) => key === field.key);
      const isPicked = field.kind === 'checkbox' || field.kind === 'choice';
      if (isPicked && !(same && hasSameWords(same, field))) kept.delete(field.key);
    }
    return kept;
  };
