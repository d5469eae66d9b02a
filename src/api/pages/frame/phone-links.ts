import { withExtensionApart, type Phone } from '../../../events/directory/contact.ts';
import { html, type Html } from '../html.ts';

/** Digits with the signs that people put between them. */
const number = /\+?\d(?:[ ().-]{0,2}\d){2,}/g;
/** ITU-T E.164. */
const mostDigits = 15;

/** A text in which phone numbers are links to call them. */
export function linkedNumbers(text: string): Html {
  let end = 0;
  const parts = [...text.matchAll(number)].flatMap((found) => {
    const before = text.slice(end, found.index);
    end = found.index + found[0].length;
    const link = dialled(found[0]);
    return [html`${before}`, link === undefined ? found[0] : html`<a href="tel:${link}">${found[0]}</a>`];
  });
  return html`${parts}${text.slice(end)}`;
}

/** What a phone dials (RFC 3966): digits, and a plus sign before a country code. Undefined for too many digits. */
function dialled(written: string): string | undefined {
  const digits = written.replace(/\D/g, '');
  return digits.length > mostDigits
    ? undefined
    : `${written.trimStart().startsWith('+') ? '+' : ''}${digits}`;
}

/** The letters on the keys of a phone (ITU-T E.161). */
const keys = ['ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];

/** A number with a word in it, such as 1-800-273-TALK, has as many digits and letters as a number of North America. */
const isVanity = (text: string): boolean =>
  /^\+?[\d(][\d() .-]*[A-Z]{3}[\dA-Z -]*$/.test(text) && /^1?\w{10}$/.test(text.replace(/[^\dA-Z]/g, ''));

/**
 * The link that calls a number, or writes to it. After a comma, at which phones pause, an extension is dialled too; the
 * `;ext=` of RFC 3966 they pass over, or read as letters of their keys. Undefined for a fax and for a text without a number: a link that
 * calls somebody else is worse than none.
 */
export function phoneLink(phone: Phone): string | undefined {
  const { number: written, extension, type } = withExtensionApart(phone);
  if (type === 'fax') return undefined;
  const text = written.trim();
  const digits = isVanity(text)
    ? dialled(text.replace(/[A-Z]/g, (letter) => String(keys.findIndex((key) => key.includes(letter)) + 2)))
    : dialled(text.match(number)?.[0] ?? '');
  if (digits === undefined || digits === '') return undefined;
  const further = extension?.replace(/\D/g, '') ?? '';
  return `${type === 'text' ? 'sms' : 'tel'}:${digits}${further === '' || type === 'text' ? '' : `,${further}`}`;
}
