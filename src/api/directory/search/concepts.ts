import { phoneKeys, postalCodeKey } from '../../../projections/directory/search-keys.ts';
import { stem } from '../../../projections/directory/stem.ts';
import { pairsOf, stemsOf, wholeOf } from '../../../projections/directory/search-words.ts';
import { needWords } from './need-words.ts';
import { tellingInQuery } from './query-words.ts';

/** One thing that a query asks for. */
export interface Concept {
  /** Stems of what was typed: the word, and the word joined with its neighbour (`foodbank`). */
  readonly words: readonly string[];
  /** Stems of what may be meant as well: other words for the need, longer words, better spellings. */
  readonly others: readonly string[];
  /** Whole terms that count as the word itself: a phone number, a postal code, "free". */
  readonly terms: readonly string[];
}

/** A concept before the vocabulary of the directory was asked. */
export interface TypedConcept extends Concept {
  /** As it was typed, normalised. Absent for a phone number. */
  readonly word?: string;
}

export interface TypedQuery {
  readonly concepts: readonly TypedConcept[];
  /** The whole text as one key: that of the name of a record that is called so. */
  readonly whole: string;
  /** Each two neighbouring words as one stem: a name with the words in this order has them all. */
  readonly pairs: readonly string[];
}

/** A query has no more concepts than this. Further words are left out. */
const mostConcepts = 8;
/** Other words of a concept, from the table of needs. */
const mostSynonyms = 12;
/** The longest phrase of the table, in words. */
const longestPhrase = 3;

/** What is often typed beside a need and says nothing about it. */
const saidBesides = new Set(
  'help helping need needs needed looking find finding near nearby me get getting want where how can please service services program programs assistance no tengo ayuda ayudar necesito busco buscar cerca quiero donde como servicio servicios programa programas asistencia'
    .split(' ')
    .map(stem),
);

/** Words for "free of charge". */
const free = new Set(['free', 'gratis', 'gratuito', 'gratuita'].map(stem));

/** What a text asks for. No concepts where it has no letters and digits. */
export function conceptsIn(text: string): TypedQuery {
  const { phones, rest } = phonesIn(text);
  const words = tellingInQuery(rest);
  const stems = stemsOf(words);
  const typed = words.map((_, place) => typedConcept(words, stems, place));
  const needed = typed.filter((_, place) => !saidBesides.has(stems[place] as string));
  const concepts = [...phones, ...(needed.length > 0 ? needed : phones.length > 0 ? [] : typed)];
  return { concepts: concepts.slice(0, mostConcepts), whole: wholeOf(rest), pairs: pairsOf(words) };
}

function typedConcept(words: readonly string[], stems: readonly string[], place: number): TypedConcept {
  const word = words[place] as string;
  const own = [
    ...new Set([stems[place] as string, ...pairsOf(words.slice(Math.max(0, place - 1), place + 2))]),
  ];
  return {
    word,
    words: own,
    others: synonymsAt(stems, place).filter((other) => !own.includes(other)),
    terms: termsOf(word),
  };
}

/** Terms beside the word: digits may be a postal code, and "free" is a field. */
function termsOf(word: string): string[] {
  if (free.has(stem(word))) return ['f1'];
  return /\d/.test(word) && word.length >= 3 && word.length <= 10 ? [`z${postalCodeKey(word)}`] : [];
}

/** Other words for the need that one word names, as stems. */
export const synonymsOf = (word: string): readonly string[] => sameNeed().get(stem(word)) ?? [];

/** Other words for the needs that are named by the phrases around this place. */
function synonymsAt(stems: readonly string[], place: number): string[] {
  const found = new Set<string>();
  for (let length = longestPhrase; length >= 1; length--) {
    for (
      let start = Math.max(0, place - length + 1);
      start <= place && start + length <= stems.length;
      start++
    ) {
      const same = sameNeed().get(stems.slice(start, start + length).join(' ')) ?? [];
      for (const other of same) found.add(other);
    }
  }
  return [...found].slice(0, mostSynonyms);
}

let synonyms: ReadonlyMap<string, readonly string[]> | undefined;

/** By the stems of a phrase: what else its need is called, as stems of one word or of two written together. */
function sameNeed(): ReadonlyMap<string, readonly string[]> {
  synonyms ??= tableOf();
  return synonyms;
}

function tableOf(): Map<string, string[]> {
  const table = new Map<string, string[]>();
  for (const need of needWords) {
    const phrases = need.phrases.map(tellingInQuery);
    // Longer phrases are not in the index as one term.
    const short = phrases.filter(({ length }) => length <= 2);
    const others = short.map((words) => (words.length === 2 ? pairsOf(words) : stemsOf(words))[0] as string);
    for (const words of phrases) {
      const key = stemsOf(words).join(' ');
      table.set(key, [...new Set([...(table.get(key) ?? []), ...others])]);
    }
  }
  return table;
}

/** Seven to fifteen digits with the marks that are usual in phone numbers. */
const phoneLike = /\+?\(?\d[\d\s().\-/]{5,24}\d/g;

/** A postal code of the United States with its route, of which records have the first five digits. */
const longPostalCode = /\b(\d{5})-\d{4}\b/g;

function phonesIn(text: string): { phones: TypedConcept[]; rest: string } {
  const phones: TypedConcept[] = [];
  const rest = text.replace(longPostalCode, '$1').replace(phoneLike, (written) => {
    if (!isPhone(written)) return written;
    phones.push({
      words: [],
      others: [],
      terms: phoneKeys(written)
        .slice(0, 1)
        .map((key) => `t${key}`),
    });
    return ' ';
  });
  return { phones, rest };
}

function isPhone(written: string): boolean {
  const digits = written.replace(/\D/g, '').length;
  if (digits < 7 || digits > 15) return false;
  // Postal codes beside each other.
  return !/^\d{5}([\s,]+\d{5})*$/.test(written);
}
