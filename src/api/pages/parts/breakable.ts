import { html, type Html } from '../html.ts';

/**
 * An email, the name of a file or an address: where it does not fit it breaks after one of its signs, and within a word
 * only where that is longer than the line. Copied, it is the same text.
 */
export const breakable = (text: string): Html =>
  html`${text.split(/(?<=[@._\-/?&=+])/).map((part, place) => (place === 0 ? part : html`<wbr />${part}`))}`;
