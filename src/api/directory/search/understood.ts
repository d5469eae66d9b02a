import { withSoutheast } from '../../../places/streets.ts';
import { cityKey, postalCodeKey } from '../../../projections/directory/search-keys.ts';
import { searchWords } from '../../../projections/directory/search-words.ts';
import { conceptsIn, nameIn, type TypedConcept } from './words/concepts.ts';
import { expand, type ExpandedQuery } from './words/expand.ts';
import { shownGroups } from './ranking.ts';
import { locate } from './named-place.ts';
import { readText, type RequestedTime, type ReadText } from './words/reading.ts';
import type { Circle, PlaceInWords, SearchRequest, WordsRead } from './request.ts';
import type { SearchIndex } from './search-index.ts';

/** What a text asks for. */
export interface Understood {
  readonly query: ExpandedQuery | undefined;
  /** The text in a better spelling. */
  readonly didYouMean: string | undefined;
  readonly read: WordsRead | undefined;
  /** Looks up where the place is that the words name. Absent where they name none. */
  readonly around?: (() => Promise<Circle | undefined>) | undefined;
  /** It asks for what is close to whoever asks. */
  readonly here: boolean;
  /** The place that the words name, as words, and the text without it. Absent where they name none. */
  readonly placeInWords?: PlaceInWords | undefined;
}

/** Around a place that the words name, so far is looked. */
const aroundKm = 40;

/** Understands the text of a request. On later pages it is what the first one understood. */
export async function understood(
  { text, place, near, now }: SearchRequest,
  index: SearchIndex,
): Promise<Understood> {
  const nothing = { query: undefined, didYouMean: undefined, read: undefined, here: false };
  if (place?.query) {
    const { query, read, placeInWords } = place;
    return { ...nothing, query, read, placeInWords, around: read?.around && (async () => read.around) };
  }
  if (text === undefined) return nothing;
  const read = readText(withSoutheast(text));
  const named = near ? undefined : await placeNamed(read, index);
  const searched = named?.text ?? read.text;
  const places = named ? [named.concept] : [];
  const expandedOf = (typedText: string, whole: string) => {
    const typed = conceptsIn(typedText);
    // Names are found by the text as it was typed.
    return expand({ ...typed, ...nameIn(whole), concepts: [...typed.concepts, ...places] }, index);
  };
  let expanded = await expandedOf(searched, text);
  const { didYouMean, corrections } = expanded;
  // What the words mean together is known when they are spelled well.
  if (corrections.size > 0) {
    const corrected = (part: string) =>
      searchWords(part)
        .map((word) => corrections.get(word) ?? word)
        .join(' ');
    expanded = await expandedOf(corrected(searched), corrected(text));
  }
  const query = await withoutRemarks(expanded.query, index);
  return {
    query,
    didYouMean,
    read: now === undefined || read.time === undefined ? undefined : timeOf(read.time, now),
    around: named && (() => circleAround(named.name, index)),
    here: read.here && !near,
    placeInWords: named && { name: named.name, text: named.text },
  };
}

async function circleAround(name: string, index: SearchIndex): Promise<Circle | undefined> {
  const found = await locate(name, index);
  return found && { latitude: found.latitude, longitude: found.longitude, radiusKm: aroundKm };
}

/**
 * Beside a need, a word that no record has in its name, kind or place together with it is a remark: "behind on rent". It
 * is preferred, not needed: else records would come first that have both somewhere in their texts.
 */
async function withoutRemarks(query: ExpandedQuery, index: SearchIndex): Promise<ExpandedQuery> {
  const { concepts, preferred = [] } = query;
  const needed = concepts.filter(({ isNeed, isPlace, words }) => isNeed || isPlace || words.length === 0);
  if (needed.length === concepts.length || !needed.some(({ isNeed }) => isNeed)) return query;
  if ((await index.count({ every: shownGroups(query) }, 1)) > 0) return query;
  const remarks = concepts.filter((each) => !needed.includes(each));
  // A word of some name may be that name.
  if (await index.hasAny(remarks.flatMap(({ words }) => words.map((word) => `n${word}`)))) return query;
  return { ...query, concepts: needed, preferred: [...preferred, ...remarks] };
}

const timeOf = (time: RequestedTime, now: Date): WordsRead =>
  time === 'now'
    ? { openAt: now.toISOString() }
    : { openOn: time === 'today' ? { instant: now.toISOString() } : { day: time } };

/** The first of the names that is a town or a postal code of the directory. */
async function placeNamed(
  { places }: ReadText,
  index: SearchIndex,
): Promise<{ readonly name: string; readonly text: string; readonly concept: TypedConcept } | undefined> {
  const terms = places.map(({ name }) =>
    /^\d{5}$/.test(name) ? `z${postalCodeKey(name)}` : `y${cityKey(name)}`,
  );
  // Most texts name none: all are asked for at once.
  if (terms.length === 0) return undefined;
  const isHere = await index.hasAny(terms);
  if (!isHere && !places.some(({ near }) => near)) return undefined;
  for (const [at, term] of terms.entries()) {
    const { name, text, near } = places[at] as (typeof places)[number];
    if (isHere ? await index.hasAny([term]) : near && (await locate(name, index)))
      return { name, text, concept: conceptOf(term) };
  }
  return undefined;
}

/** A record is in a place by its addresses alone: a name or a street may be called after it anywhere. */
const conceptOf = (term: string): TypedConcept => ({ words: [], others: [], terms: [term], isPlace: true });
