import { callablePhone, shownHours } from '../../../events/directory/flat-members.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { hoursInWords, rulesInWords } from './hours-words.ts';
import { openingLine } from './opening-line.ts';
import { shortened } from './shortened.ts';

/**
 * The line of a list or at the top of a page: whether it is open; where that is not known, the hours in words, cut after
 * `longest` characters; where nothing is known, that one should call, if there is a number.
 */
export function hoursLine(fields: UnsealedFields, now: Date, texts: Texts, longest: number): Html | '' {
  const { state, text } = openingLine(fields, now, texts.opening);
  if (state !== 'unknown') return html`<p class="status ${state}">${text}</p>`;
  const words = wordsOf(fields, texts);
  if (words !== '') return html`<p class="status written">${shortened(words, longest)}</p>`;
  return callablePhone(fields) ? html`<p class="status">${text}</p>` : '';
}

/** The hours of a record in words, for a page in a language. Empty where nothing is known. */
export function wordsOf(fields: UnsealedFields, texts: Texts): string {
  const hours = shownHours(fields);
  return hours === undefined ? rulesInWords(fields.opening_hours ?? [], texts) : hoursInWords(hours, texts);
}
