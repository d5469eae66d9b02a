import { stem } from '../../../../tables/stem.ts';
import {
  isNeed,
  needsSpelled,
  synonymsOf,
  type Concept,
  type TypedConcept,
  type TypedQuery,
} from './concepts.ts';
import { isOneEditAway, isTwoEditsAway } from './one-edit.ts';

/** What the directory knows about words. */
export interface Lexicon {
  /** How many records have the stem, at most this many. */
  frequency(stem: string, atMost: number): Promise<number>;
  /** Words of records that begin with these letters, best known first. */
  beginning(letters: string, limit: number, lengths?: Lengths): Promise<string[]>;
  /** The same for the last letters. */
  ending(letters: string, limit: number, lengths?: Lengths): Promise<string[]>;
}
type Lengths = { readonly atLeast: number; readonly atMost: number };

/** A query with everything that it may mean. A cursor holds it, so that all pages ask for the same. */
export interface ExpandedQuery {
  readonly concepts: readonly Concept[];
  /** Records that have one of them come first among those that agree otherwise. Absent in cursors of earlier releases. */
  readonly preferred?: readonly Concept[];
  readonly whole: string;
  readonly pairs: readonly string[];
}

export interface Expansion {
  readonly query: ExpandedQuery;
  /** The typed words with a better spelling, where there is one. */
  readonly didYouMean: string | undefined;
  /** Words that no record has, with their better spelling. */
  readonly corrections: ReadonlyMap<string, string>;
}

/** Longer words that a typed word may begin. */
const mostLonger = 10;
/** Better spellings of a word. */
const mostSpellings = 4;
/** Spellings, and other words for the need that the first of them names. */
const mostMeant = 12;
/** A mistyped word has at least this many letters. */
const shortestMistyped = 5;
/** One with two errors. */
const shortestTwice = 8;
/** A word of so few records may be mistyped in them. */
const rare = 20;
/** The word that it looks like is in so many times as many. */
const timesAsMany = 5;
/** Words of which a spelling is compared. */
const comparedWords = 500;
/** Each part of a word written together has at least this many letters. */
const shortestPart = 3;
/** The longest word that is looked at for a better spelling. */
const longestMistyped = 24;

/**
 * Adds to each concept what the vocabulary of the directory has for it: longer words for the word that is still being
 * typed and for unknown ones, better spellings for words that nobody knows, and the parts of a word written together.
 */
export async function expand(typed: TypedQuery, lexicon: Lexicon): Promise<Expansion> {
  const last = typed.concepts.length - 1;
  const read = await Promise.all(
    typed.concepts.map((concept, place) => expanded(concept, place === last, lexicon)),
  );
  const better = read.map(({ spelling }, place) => spelling ?? typed.concepts[place]?.word ?? '');
  return {
    query: {
      concepts: read.flatMap(({ concepts }) => concepts),
      preferred: typed.preferred,
      whole: typed.whole,
      pairs: typed.pairs,
    },
    didYouMean: read.some(({ spelling }) => spelling !== undefined)
      ? better.filter((word) => word !== '').join(' ')
      : undefined,
    corrections: new Map(
      read.flatMap(({ spelling, isUnknown }, place) => {
        const word = typed.concepts[place]?.word;
        return spelling === undefined || !isUnknown || word === undefined ? [] : [[word, spelling] as const];
      }),
    ),
  };
}

interface Read {
  readonly concepts: readonly Concept[];
  readonly spelling?: string;
  /** No record has the word as it was typed. */
  readonly isUnknown?: true;
}

async function expanded(
  { word, ...concept }: TypedConcept,
  isLast: boolean,
  lexicon: Lexicon,
): Promise<Read> {
  if (word === undefined) return { concepts: [concept] };
  // A word for a need counts as frequent and well spelled. Whether a short word is rare does not matter.
  const certain = concept.isNeed === true || isNeed(word);
  const [frequency, completed] = await Promise.all([
    certain ? rare + 1 : lexicon.frequency(stem(word), word.length < shortestMistyped ? 1 : rare + 1),
    isLast ? lexicon.beginning(word, mostLonger) : undefined,
  ]);
  const isInDirectory = frequency > 0;
  const longer = completed ?? (isInDirectory ? [] : await lexicon.beginning(word, mostLonger));
  const withLonger = withOthers(concept, longer.map(stem));
  if (concept.terms.length > 0 || certain) return { concepts: [withLonger] };
  if (isInDirectory && frequency <= rare && word.length >= shortestMistyped) {
    const frequent = await frequentSpelling(word, frequency, lexicon);
    if (frequent === undefined) return { concepts: [withLonger] };
    const meant = [stem(frequent), ...synonymsOf(frequent)];
    return { concepts: [withOthers(withLonger, meant)], spelling: frequent };
  }
  if (isInDirectory || longer.length > 0) return { concepts: [withLonger] };
  // What a need is called in another language than that of the records is spelled well.
  if (concept.others.length > 0) return { concepts: [withLonger] };
  const near = await betterSpellings(word, lexicon);
  // "medicad" is nearer to Medicaid, even where no record says so, than to "medical".
  const [nearest] = [...near, ...needsSpelled(word)].toSorted(byLikelihood(word));
  const spellings = nearest === undefined ? await fartherSpellings(word, lexicon) : near;
  const spelling = nearest ?? spellings[0];
  if (spelling !== undefined) {
    const meant = [stem(spelling), ...synonymsOf(spelling), ...spellings.map(stem)].slice(0, mostMeant);
    return { concepts: [withOthers(concept, meant)], spelling, isUnknown: true };
  }
  return { concepts: (await partsOf(word, concept, lexicon)) ?? [concept] };
}

/** A letter is left out, or two are swapped, more often than another one is written or one too many. */
const byLikelihood =
  (typed: string) =>
  (one: string, other: string): number =>
    Number(isSlip(typed, one)) - Number(isSlip(typed, other));

const isSlip = (typed: string, meant: string): boolean =>
  meant.length <= typed.length && !isSwapped(typed, meant);

const isSwapped = (typed: string, meant: string): boolean => sortedLetters(typed) === sortedLetters(meant);

const sortedLetters = (word: string): string => Array.from(word).sort().join('');

const withOthers = (concept: Concept, added: readonly string[]): Concept => ({
  ...concept,
  others: [...new Set([...concept.others, ...added])].filter((other) => !concept.words.includes(other)),
});

/**
 * Known words that are one letter more, fewer or other, or two letters swapped. One such edit leaves either the first
 * or the last half of the word as it is.
 */
async function betterSpellings(word: string, lexicon: Lexicon): Promise<string[]> {
  if (word.length < shortestMistyped || word.length > longestMistyped || /\d/.test(word)) return [];
  const half = Math.floor((word.length - 1) / 2);
  const lengths = { atLeast: word.length - 1, atMost: word.length + 1 };
  const near = await Promise.all([
    lexicon.beginning(word.slice(0, half), comparedWords, lengths),
    lexicon.ending(word.slice(-half), comparedWords, lengths),
  ]);
  const found = [...new Set(near.flat())].filter((each) => isOneEditAway(word, each));
  return found.slice(0, mostSpellings);
}

/**
 * Words with two such errors, where no word has one: "schizofrenia", "diabities". Those of needs first. The first letters are
 * seldom wrong.
 */
async function fartherSpellings(word: string, lexicon: Lexicon): Promise<string[]> {
  if (word.length < shortestTwice || word.length > longestMistyped || /\d/.test(word)) return [];
  const lengths = { atLeast: word.length - 2, atMost: word.length + 2 };
  const begun = await lexicon.beginning(word.slice(0, 3), comparedWords, lengths);
  const found = [
    ...needsSpelled(word, isTwoEditsAway),
    ...begun.filter((each) => isTwoEditsAway(word, each)),
  ];
  return [...new Set(found)].slice(0, mostSpellings);
}

/** A frequent word that a rare one may be meant for: "medicad" stands in a record, but Medicaid is meant. */
async function frequentSpelling(
  word: string,
  frequency: number,
  lexicon: Lexicon,
): Promise<string | undefined> {
  const own = stem(word);
  const spellings = await betterSpellings(word, lexicon);
  for (const each of spellings.toSorted(byLikelihood(word))) {
    const other = stem(each);
    const enough = timesAsMany * frequency;
    if (other !== own && (await lexicon.frequency(other, enough)) >= enough) return each;
  }
  return undefined;
}

/** `childcare` as child and care, where the directory knows both. */
async function partsOf(word: string, concept: Concept, lexicon: Lexicon): Promise<Concept[] | undefined> {
  const cuts: number[] = [];
  for (let cut = shortestPart; cut <= Math.min(word.length, longestMistyped) - shortestPart; cut++)
    cuts.push(cut);
  const tried = await Promise.all(
    cuts.map(async (cut) => {
      const parts = [stem(word.slice(0, cut)), stem(word.slice(cut))];
      const frequencies = await Promise.all(parts.map((part) => lexicon.frequency(part, 1)));
      return frequencies.every((count) => count > 0) ? parts : undefined;
    }),
  );
  const parts = tried.find((each) => each !== undefined);
  return parts?.map((part) => ({ ...concept, words: [...new Set([part, ...concept.words])] }));
}
