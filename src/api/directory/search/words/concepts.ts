import { phoneKeys, postalCodeKey } from '../../../../projections/directory/search-keys.ts';
import { stem } from '../../../../tables/stem.ts';
import { pairsOf, searchWords, stemsOf, wholeOf } from '../../../../projections/directory/search-words.ts';
import { crisisIn } from './crisis.ts';
import { needTables } from './need-tables.ts';
import { alsoHelps, needWords, type Need } from './need-words.ts';
import { isOneEditAway } from './one-edit.ts';
import { tellingInQuery, wordsOfKind } from './query-words.ts';

/** One thing that a query asks for. */
export interface Concept {
  /** Stems of what was typed: the word, and the word joined with its neighbour (`foodbank`). */
  readonly words: readonly string[];
  /** Stems of what may be meant as well: other words for the need, longer words, better spellings. */
  readonly others: readonly string[];
  /** What helps as well, though it is another need. */
  readonly wider?: readonly string[];
  /** Whole terms that count as the word itself: a phone number, a postal code, "free". */
  readonly terms: readonly string[];
  /** Some need is called so. */
  readonly isNeed?: true;
  /** It is where help shall be. */
  readonly isPlace?: true;
}

/** A concept before the vocabulary of the directory was asked. */
export interface TypedConcept extends Concept {
  /** As it was typed, normalised. Absent for a phone number. */
  readonly word?: string;
}

export interface TypedQuery {
  readonly concepts: readonly TypedConcept[];
  /** Records that have one of them come first among those that agree otherwise. */
  readonly preferred: readonly Concept[];
  /** The whole text as one key: that of the name of a record that is called so. */
  readonly whole: string;
  /** Each two neighbouring words as one stem: a name with the words in this order has them all. */
  readonly pairs: readonly string[];
}

/** A query has no more concepts than this. Further words are left out. */
const mostConcepts = 8;
/** Other words of a concept, from the table of needs. */
const mostSynonyms = 12;
/** So many letters are short. */
const shortWord = 4;
/** A mistyped word of a need has so many letters. */
const shortestSpelled = 6;
/** Of a need that helps as well, the first words. */
const mostWider = 4;
/** The longest phrase of the table, in words. */
const longestPhrase = 3;

/** What is often typed beside a need and says nothing about it. */
const besides = wordsOfKind('besides');

/** Words for "free of charge". */
const free = wordsOfKind('free');

/** A text of so many telling words beside so many others is a sentence: it asks for the needs that it names. */
const sentence = 3;
const besidesOfSentence = 2;
/** Of the other words of a sentence, so many bring records with them to the front. */
const mostPreferred = 4;

/** Needs that tell for whom help is, more than which: beside another need, a sentence need not be about them. */
const forWhom = new Set([
  'children',
  'youth',
  'women',
  'men',
  'family',
  'parenting',
  'senior',
  'fatherhood',
  'single-parent',
  'grandparents-raising-grandchildren',
]);

/** What a text asks for. No concepts where it has no letters and digits. */
export function conceptsIn(text: string): TypedQuery {
  const { phones, rest } = phonesIn(text);
  const { needs, rest: others } = crisisIn(rest);
  const words = tellingInQuery(others);
  const stems = stemsOf(words);
  const named = words.map((_, place) => needsAt(words, stems, place));
  const typed = words.map((_, place) => typedConcept(words, stems, place, named[place] ?? noNeeds));
  const danger = [...new Set(needs)].map(conceptOfNeed);
  const uses = usesOf(words, named, rest);
  const of = (use: Use) => (danger.length > 0 ? [] : typed.filter((_, place) => uses[place] === use));
  const needed = [...phones, ...danger, ...of('needed')];
  return {
    concepts: (needed.length > 0 ? needed : typed).slice(0, mostConcepts),
    preferred:
      danger.length > 0 ? [emergencies] : needed.length > 0 ? of('preferred').slice(0, mostPreferred) : [],
    ...(danger.length > 0 ? noName : nameOf(rest)),
  };
}

/** For people who may be in danger, emergency help comes first among the records that help: a line to call at once. */
const emergencies: Concept = { words: [], others: [], terms: ['kemergency'] };

/** People who may be in danger want help, not a record with those words as its name. */
const noName = { whole: '', pairs: [] };

const nameOf = (rest: string): Pick<TypedQuery, 'whole' | 'pairs'> => ({
  whole: wholeOf(rest),
  pairs: pairsOf(tellingInQuery(rest)),
});

/** A text as the name of a record. */
export function nameIn(text: string): Pick<TypedQuery, 'whole' | 'pairs'> {
  const { rest } = phonesIn(text);
  return crisisIn(rest).needs.length > 0 ? noName : nameOf(rest);
}

/** What a word of a query is for: a record must have it, comes first with it, or it says nothing. */
type Use = 'needed' | 'preferred' | 'beside';

function usesOf(words: readonly string[], named: readonly Named[], text: string): readonly Use[] {
  const isFree = words.map((word) => free.has(word));
  const beside = words.map((word, place) => besides.has(word) && !isFree[place]);
  const telling = words.filter((_, place) => !beside[place] && !isFree[place]).length;
  const needs = named.map(({ needs }, place) => !beside[place] && !isFree[place] && needs.length > 0);
  const which = needs.map(
    (each, place) => each && named[place]?.needs.some(({ need }) => !forWhom.has(need)),
  );
  // Who writes a sentence uses words that tell nothing; who lists words means each.
  const isSentence = telling >= sentence && searchWords(text).length - telling >= besidesOfSentence;
  const asks = isSentence ? (which.some(Boolean) ? which : needs) : [];
  const asksFor = asks.some(Boolean);
  return words.map((_, place) => {
    if (beside[place]) return 'beside';
    // Most help is free, and few records say so.
    if (isFree[place]) return telling === 0 ? 'needed' : 'preferred';
    return !asksFor || asks[place] ? 'needed' : 'preferred';
  });
}

function typedConcept(
  words: readonly string[],
  stems: readonly string[],
  place: number,
  { needs, length }: Named,
): TypedConcept {
  const word = words[place] as string;
  const own = [
    ...new Set([stems[place] as string, ...pairsOf(words.slice(Math.max(0, place - 1), place + 2))]),
  ];
  // What a phrase of several words means is certain: another phrase for it is as good as the words.
  const same = synonymsIn(needs);
  // A word of a language that few records are written in counts as the usual word of records for the need. Otherwise
  // "albergue" would first find records with any other word for that need in their names.
  const all = [
    ...new Set(length > 1 ? [...own, ...same] : [...own, ...firstWords(needs, stems[place] ?? '')]),
  ];
  return {
    word,
    words: all,
    others: [...same, ...stemsAlso(needs, 'same')].filter((other) => !all.includes(other)),
    ...widerOf(needs),
    terms: termsOf(word),
    ...(needs.some(({ need }) => !forWhom.has(need)) ? { isNeed: true } : {}),
  };
}

/** Terms beside the word: digits may be a postal code, and "free" is a field. */
function termsOf(word: string): string[] {
  if (free.has(word)) return ['f1'];
  return /\d/.test(word) && word.length >= 3 && word.length <= 10 ? [`z${postalCodeKey(word)}`] : [];
}

/** Other words for the need that one word names, as stems. */
export const synonymsOf = (word: string): readonly string[] =>
  synonymsIn(needTables().byPhrase.get(stem(word)) ?? []);

const synonymsIn = (needs: readonly Need[]): string[] =>
  [...new Set(needs.flatMap((need) => needTables().stems.get(need.need) ?? []))].slice(0, mostSynonyms);

/** Of needs that English calls otherwise: their first English words. */
const firstWords = (needs: readonly Need[], typed: string): string[] =>
  needs.flatMap(({ need }) => {
    const english = needTables().english.get(need) ?? [];
    return english.includes(typed) ? [] : english.slice(0, 1);
  });

/** The needs that a phrase names, and how many words it has. */
interface Named {
  readonly needs: readonly Need[];
  readonly length: number;
}
const noNeeds: Named = { needs: [], length: 0 };

/** The needs that the longest phrases around this place name. */
function needsAt(words: readonly string[], stems: readonly string[], place: number): Named {
  for (let length = longestPhrase; length >= 1; length--) {
    const first = Math.max(0, place - length + 1);
    for (let start = first; start <= place && start + length <= stems.length; start++) {
      const needs = needTables().byPhrase.get(stems.slice(start, start + length).join(' '));
      if (needs && (length > 1 || isSpelledSo(words[place] ?? ''))) return { needs, length };
    }
  }
  return noNeeds;
}

/** The needs that a text names, each once, in the order of the text: of a phrase that may mean several, the first. */
export function needsNamed(text: string): readonly string[] {
  const words = tellingInQuery(phonesIn(text).rest);
  const stems = stemsOf(words);
  const found = new Set<string>();
  for (const place of words.keys()) {
    const [need] = needsAt(words, stems, place).needs;
    if (need) found.add(need.need);
  }
  return [...found];
}

/** The words of the phrases, by their length, to correct what is typed in a language that the directory is not written in. */
let spelled: ReadonlyMap<number, readonly string[]> | undefined;
const spelledWords = (): ReadonlyMap<number, readonly string[]> =>
  (spelled ??= Map.groupBy(
    new Set(needWords.flatMap(({ phrases }) => phrases.flatMap(tellingInQuery))),
    ({ length }) => length,
  ));

/** Words of needs that are one typing error away from a word, or as far as is asked. */
export function needsSpelled(word: string, isNear = isOneEditAway): string[] {
  if (word.length < shortestSpelled) return [];
  return [0, 1, -1, 2, -2]
    .flatMap((more) => spelledWords().get(word.length + more) ?? [])
    .filter((each) => isNear(word, each) && isNeed(each));
}

/** Of a short word the stem tells too little: "Sant La" is not about "sante". */
const isSpelledSo = (word: string): boolean =>
  word.length > shortWord || needTables().words.has(word) || needTables().words.has(word.replace(/s$/, ''));

/** Whether a text is what some need is called. */
export const isNeed = (text: string): boolean =>
  needTables().byPhrase.has(stemsOf(tellingInQuery(text)).join(' '));

/** What helps with these needs as well, though it is another one: a clinic, for whoever looks for a doctor. */
/** The first words of the needs whose help serves these as well. */
const stemsAlso = (needs: readonly Need[], how: 'same' | 'after'): string[] =>
  needs
    .flatMap(({ need }) => alsoHelps.get(need)?.[how] ?? [])
    .flatMap((need) => (needTables().stems.get(need) ?? []).slice(0, mostWider));

function widerOf(needs: readonly Need[]): { readonly wider?: readonly string[] } {
  const wider = stemsAlso(needs, 'after');
  return wider.length === 0 ? {} : { wider };
}

/** A need that a phrase of danger means. */
const conceptOfNeed = (name: string): TypedConcept => {
  const [word = '', ...others] = needTables().stems.get(name) ?? [];
  const needs = needWords.filter(({ need }) => need === name);
  return { words: [word], others: others.slice(0, mostSynonyms), ...widerOf(needs), terms: [] };
};

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
