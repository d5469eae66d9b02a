import { withoutMarkup } from './markup.ts';

/**
 * Cleans a text of several lines: HTML goes, a written-out `\n` becomes a line break, `###MON###` marks of exports, control
 * characters, marks that turn the direction of a text round, and spaces at line ends are removed, and at most one empty
 * line stays in a row.
 */
export function cleanText(raw: string): string {
  const text = raw.trim();
  if (!needsCleaning.test(text)) return text;
  return withoutMarkup(text)
    .replace(/\\r\\n|\\n|\\r|\r\n?/g, '\n')
    .replace(/#{3}[A-Z]+#{3}/g, '')
    .replace(/[\p{Cc}\u2028\u2029\u202d\u202e\ufeff]/gu, (character) =>
      character === '\n' ? '\n' : character === '\t' ? ' ' : '',
    )
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Most texts need no cleaning. One test is cheaper than all replacements. */
const needsCleaning = /[\\#<&\p{Cc}\u2028\u2029\u202d\u202e\ufeff]/u;

/** The same, on one line. */
export const cleanLine = (raw: string): string => cleanText(raw).replace(/\s+/g, ' ');

/** Compares ids as people count: 9 before 10, numbers before words, else by code unit. The same on every machine. */
export function compareIds(left: string, right: string): number {
  const leftNumber = /^\d{1,15}$/.test(left) ? Number(left) : Infinity;
  const rightNumber = /^\d{1,15}$/.test(right) ? Number(right) : Infinity;
  if (leftNumber !== rightNumber) return leftNumber < rightNumber ? -1 : 1;
  return compareText(left, right);
}

export const compareText = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;

/** A web address from what people write. `www.example.org` gets the missing scheme. */
export function webAddress(raw: string): string | undefined {
  const [first = ''] = cleanLine(raw).split(/[\s;]+|,(?=\s|www\.|https?:)/i);
  const written = first.replace(/[.,)]+$/, '');
  const scheme = /^([a-z][a-z0-9+-]*):(?!\d)/i.exec(written)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return undefined;
  const address = scheme === undefined ? `http://${written}` : written;
  const url = /^https?:\/\//i.test(address) ? URL.parse(address) : null;
  return url && url.username === '' && /[^.]\.[^.]/.test(url.hostname) ? address : undefined;
}

/** The first email address in a text. */
export const emailAddress = (raw: string): string | undefined =>
  cleanLine(raw)
    .replace(/^mailto:/i, '')
    .split(/[\s,;<>]+/)
    .find((part) => /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(part));

/** A text from a file, quoted for a sentence: on one line, and cut when it is long. */
export function quoted(text: string): string {
  const line = cleanLine(text);
  return `"${line.length > 80 ? `${line.slice(0, 80)}…` : line}"`;
}
