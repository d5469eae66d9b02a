/** What a search asked for, in words of our own: nothing of it is as somebody typed it. */
export interface Need {
  /** Names of needs of the search's own tables, two at most, in the order of the alphabet. See `otherWords`. */
  readonly words: readonly string[];
  /** A category; empty where neither a choice nor the words tell one. */
  readonly kind: string;
  /** Three digits of a postal code, or the name of a town. Empty: no place, or one that nobody knows. See `otherPlaces`. */
  readonly place: string;
}

/** In the place of words: something was typed, and none of it is in our tables. */
export const otherWords = '?';
/** In the place of a place: all places together from each of which too few networks asked. */
export const otherPlaces = '*';

/** A need as one text. Neither names of needs nor categories nor places have the sign between its parts. */
export const textOfNeed = ({ words, kind, place }: Need): string => [words.join('+'), kind, place].join('|');

export function needOfText(text: string): Need {
  const [words = '', kind = '', place = ''] = text.split('|');
  return { words: words === '' ? [] : words.split('+'), kind, place };
}
