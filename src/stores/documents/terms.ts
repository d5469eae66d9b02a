import { StoreError } from '../errors.ts';
import type { TermQuery, VocabularyQuery } from './port.ts';

/** The most characters of a term or a word. */
const longest = 100;

const plainTexts = /^[a-z0-9 ]*$/;
const onlyTerms = /^[a-z0-9]{1,100}(?: [a-z0-9]{1,100})*$/;
const lettersAndDigits = /^[\p{L}\p{N}]+$/u;

/** The terms in a text. What is not a term is left out. */
export function termsIn(text: string): string[] {
  return partsOf(text).filter(isTerm);
}

/** The same as a text. Most texts have nothing but terms, and are not taken apart. */
export const termText = (text: string): string => (onlyTerms.test(text) ? text : termsIn(text).join(' '));

/** The digit and the rest of an entry of a vocabulary field. See isRankedWord. */
export function rankAndWord(entry: string): { readonly rank: number; readonly word: string } {
  return { rank: entry.charCodeAt(0) - 0x30, word: entry.slice(1) };
}

/** Whether the parts of an entry are a rank and a word. Other entries are left out. */
export const isRankedWord = (rank: number, word: string): boolean => rank >= 0 && rank <= 9 && isTerm(word);

/** The characters of a word from last to first. */
export const reversed = (word: string): string => Array.from(word).reverse().join('');

/** The number of characters (code points). */
export const lengthOf = (word: string): number => Array.from(word).length;

/** Of each group only terms, each once. Undefined when no document can match. */
export interface CheckedTermQuery {
  readonly every: readonly (readonly string[])[];
  readonly except: readonly (readonly (readonly string[])[])[];
}

/** @throws StoreError misuse, for a query without a group */
export function checkedQuery({ every, except = [] }: TermQuery): CheckedTermQuery | undefined {
  if ([every, ...except].some((groups) => groups.length === 0)) {
    throw new StoreError('misuse', 'A term query needs at least one group of terms.');
  }
  const needed = groupsOf(every);
  if (!needed) return undefined;
  return {
    every: needed,
    except: except.flatMap((groups) => [groupsOf(groups) ?? []].filter((each) => each.length > 0)),
  };
}

/** Undefined when a group is empty: it matches nothing. */
function groupsOf(groups: readonly (readonly string[])[]): string[][] | undefined {
  const checked = groups.map((group) => [...new Set(group)].filter(isTerm));
  return checked.every((group) => group.length > 0) ? checked : undefined;
}

/** The beginning, or the ending from last to first. Undefined when no word has it. */
export function soughtBeginning(
  query: VocabularyQuery,
): { field: 'word' | 'reversed'; text: string } | undefined {
  const text = 'beginning' in query ? query.beginning : query.ending;
  if (text !== '' && !isTerm(text)) return undefined;
  return 'beginning' in query ? { field: 'word', text } : { field: 'reversed', text: reversed(text) };
}

const partsOf = (text: string): string[] => text.split(' ').filter((part) => part !== '');

function isTerm(text: string): boolean {
  if (text.length <= longest && plainTexts.test(text)) return text !== '' && !text.includes(' ');
  return (
    lettersAndDigits.test(text) &&
    text === text.toLowerCase() &&
    (text.length <= longest || lengthOf(text) <= longest)
  );
}
