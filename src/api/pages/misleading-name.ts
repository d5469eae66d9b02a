/** What a form says of a name with characters that a person cannot see (events/display-name.ts). */
export const misleadingNameSentence =
  'This contains characters that are invisible or change the direction of text. Type it anew instead of copying it.';
