/**
 * The hand-over from one key of a log to the next: a signed note of the earlier key that names the later one. With it, who trusts
 * the earlier key goes on with the later one without asking anybody.
 */
import { signNote, type NoteSigner } from './note.ts';

const heading = 'commonweal key succession';

/** A note by the key that signs now. `vkey`: of the one that signs after it, for the same log. */
export const successionNote = (signer: NoteSigner, vkey: string): string =>
  signNote(`${heading}\n${signer.name}\n${vkey}\n`, signer);

/** The verifier key that the text of such a note names. Undefined: it is another text. */
export function succeedingKey(text: string): string | undefined {
  const [first, , vkey, ...rest] = text.split('\n');
  return first === heading && vkey !== undefined && rest.join('') === '' ? vkey : undefined;
}
