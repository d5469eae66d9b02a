import { misleads } from '../../../events/display-name.ts';
import { mixesScripts } from '../../../events/scripts.ts';

/** The error for a name with invisible characters (events/display-name.ts). */
export const misleadingNameSentence =
  'This contains invisible characters, or characters that change the direction of the text. Type it instead of copying it.';

const mixedScriptsSentence =
  'This mixes letters of different alphabets, some of which look alike. Write it in one alphabet.';

/** Why nobody may have this name because it can be taken for another one. Undefined when it cannot. */
export function misleadingProblem(name: string): string | undefined {
  if (misleads(name)) return misleadingNameSentence;
  return mixesScripts(name) ? mixedScriptsSentence : undefined;
}
