/** What a form says of a name with characters that a person cannot see (events/display-name.ts). */
export const misleadingNameSentence =
  'This contains invisible characters, or characters that change the direction of the text. Type it instead of copying it.';
