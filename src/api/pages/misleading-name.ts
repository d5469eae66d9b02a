/** The error for a name with invisible characters (events/display-name.ts). */
export const misleadingNameSentence =
  'This contains invisible characters, or characters that change the direction of the text. Type it instead of copying it.';
