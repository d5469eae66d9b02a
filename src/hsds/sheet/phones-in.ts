import { cleanLine } from '../text.ts';

/** A phone that a cell names. */
export interface PhoneInCell {
  /** With its extension, as it is written. */
  readonly number: string;
  readonly type: '' | 'text' | 'tty' | 'fax';
  readonly note: string;
}

const number =
  /\+?[\d(][\d\s().\-–/]{5,}\d(?:[\s,;(]*(?:extension|ext|x)[.:#\s]{0,3}\d{1,8}\)?)?|\b1-\d{3}-[A-Z\d-]{6,9}\b/i;
/** Between two phones, or between a phone and what is said of it. */
const between = /\s*[\n;|,]\s*|\s+(?:\/|or|o|and|y|&)\s+/iu;
const extensionAlone = /^(?:extension|ext|x)\b/i;

/** The phones of a cell: `305-555-0100 (intake); 305-555-0101`, one a line, or with "or" between them. */
export function phonesIn(cell: string): PhoneInCell[] {
  const parts: string[] = [];
  for (const part of cell.split(between).map(cleanLine)) {
    if (part === '') continue;
    const before = parts.at(-1);
    if (before !== undefined && (!number.test(part) || extensionAlone.test(part)))
      parts[parts.length - 1] = `${before}, ${part}`;
    else if (before !== undefined && !number.test(before)) parts[parts.length - 1] = `${before} ${part}`;
    else parts.push(part);
  }
  return parts.map(phoneOf);
}

function phoneOf(written: string): PhoneInCell {
  const found = number.exec(written);
  if (!found) return { number: written, type: '', note: '' };
  const [whole] = found;
  const rest = `${written.slice(0, found.index)} ${written.slice(found.index + whole.length)}`;
  const note = cleanLine(rest.replace(/[():;,–]+/g, ' ').replace(/(?:^|\s)-+(?=\s|$)/g, ' '));
  const type = typeIn(note);
  return { number: whole.trim(), type, note: isPlain.test(note) ? '' : note };
}

/** What says no more than that it is a phone. */
const isPlain =
  /^(?:fax|tty|tdd|tty\/tdd|text|sms|phone|tel|telephone|ph|main|office|voice|tel[eé]fono)?\.?$/i;

const typeIn = (note: string): PhoneInCell['type'] =>
  /\bfax\b/i.test(note)
    ? 'fax'
    : /\bt(?:ty|dd)\b/i.test(note)
      ? 'tty'
      : /\b(?:text|sms)\b/i.test(note)
        ? 'text'
        : '';
