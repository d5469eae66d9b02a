/**
 * Where a password is cut. The first keeps signs that stand for letters, as in `P@ssw0rd`. The second finds the words
 * in `Summer2024Pass`.
 */
export type Split = 'separators' | 'separators, capitals and digits';

const patterns: Readonly<Record<Split, RegExp>> = {
  separators: /[\p{L}\p{N}@$!|+(<{[]+/gu,
  'separators, capitals and digits': /\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{Lu}+|\p{N}+/gu,
};

/** The pieces of a password, and the different signs between them. */
export function piecesAt(
  password: string,
  split: Split,
): { readonly pieces: readonly string[]; readonly signs: readonly string[] } {
  const pieces = password.match(patterns[split]) ?? [];
  return { pieces, signs: [...new Set(password.replace(patterns[split], ''))] };
}

/** A piece shorter than this is a character or two of a random password, where chance repeats them. */
const shortestRepeat = 3;

/** The pieces in lower case, each once, in the order of the first ones. */
export function withoutRepeats(pieces: readonly string[]): string[] {
  const lower = pieces.map((piece) => piece.toLowerCase());
  return lower.filter((piece, at) => piece.length < shortestRepeat || lower.indexOf(piece) === at);
}

/** Without accents: `pässwörd` is guessed as soon as `password`. */
export const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(?<=\p{sc=Latin})\p{M}+/gu, '')
    .normalize('NFC');
