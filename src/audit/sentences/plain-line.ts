/**
 * Characters that can break a line, move the cursor of a terminal, or change the order in which others are shown:
 * controls, line and paragraph separators, bidirectional controls (UAX 9), annotation marks, and halves of characters.
 */
const unsafe =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u{61C}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu;

/** The most characters of a name or a text of somebody in a sentence. */
const longest = 120;

/** A text of somebody as a part of a line: unsafe characters are written out, as in `\u{202e}`, and long texts cut. */
export function plainLine(text: string): string {
  const characters = Array.from(text.trim());
  const cut =
    characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
  return cut.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
