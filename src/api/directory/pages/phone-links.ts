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
export const dialled = (written: string): string =>
  `${written.trimStart().startsWith('+') ? '+' : ''}${written.replace(/\D/g, '')}`;
