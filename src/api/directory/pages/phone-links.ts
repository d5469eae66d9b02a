import type { Phone } from '../../../events/directory/phone.ts';
import { html, type Html } from '../../pages/html.ts';

/** Digits with the signs that people put between them; at least three, at most fifteen (ITU-T E.164). */
const number = /\+?\d(?:[ ().-]{0,2}\d){2,14}/g;

/** A text in which phone numbers are links to call them. */
export function linkedNumbers(text: string): Html {
  let end = 0;
  const parts = [...text.matchAll(number)].flatMap((found) => {
    const before = text.slice(end, found.index);
    end = found.index + found[0].length;
    return [html`${before}`, html`<a href="tel:${dialled(found[0])}">${found[0]}</a>`];
  });
  return html`${parts}${text.slice(end)}`;
}

/** What a phone dials (RFC 3966): digits, and a plus sign before a country code. */
const dialled = (written: string): string =>
  `${written.trimStart().startsWith('+') ? '+' : ''}${written.replace(/\D/g, '')}`;

/** The letters on the keys of a phone (ITU-T E.161). */
const keys = ['ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];

/** A number with a word in it, such as 1-800-273-TALK. */
const vanity = /^\+?[\d(][\d() .-]*[A-Z][\dA-Z -]*$/;

/**
 * The link that calls a number, or writes to it. Undefined for a fax and for a text without a number: a link that
 * calls somebody else is worse than none.
 */
export function phoneLink({ number: written, extension, type }: Phone): string | undefined {
  if (type === 'fax') return undefined;
  const text = written.trim();
  const digits = vanity.test(text)
    ? dialled(text.replace(/[A-Z]/g, (letter) => String(keys.findIndex((key) => key.includes(letter)) + 2)))
    : dialled(text.match(number)?.[0] ?? '');
  if (digits.replace('+', '').length < 3 || digits.length > 16) return undefined;
  const further = extension?.replace(/\D/g, '') ?? '';
  return `${type === 'text' ? 'sms' : 'tel'}:${digits}${further === '' || type === 'text' ? '' : `;ext=${further}`}`;
}
