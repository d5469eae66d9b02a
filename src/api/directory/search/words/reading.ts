import { cityKey } from '../../../../projections/directory/search-keys.ts';
import { searchWords } from '../../../../projections/directory/search-words.ts';
import type { Weekday } from '../../../../events/directory/local-time.ts';
import { weekdays } from '../../../../events/directory/local-time.ts';
import { isNeed } from './concepts.ts';
import { tellingInQuery, wordsOfKind } from './query-words.ts';

/** When somebody wants it to be open, as the words say it. */
export type RequestedTime = 'now' | 'today' | Weekday;

/** What may be a place in a text, and the text without it. */
export interface NamedInText {
  readonly name: string;
  readonly text: string;
  /** It stands after "near": a place, whether or not the directory has it. */
  readonly near: boolean;
}

/** A query whose words for a place and a time were read. */
export interface ReadText {
  /** Without these words. The whole text where nothing else is left. */
  readonly text: string;
  readonly time: RequestedTime | undefined;
  /** What may be the place, the likeliest first, each with the text that is left then. */
  readonly places: readonly NamedInText[];
  /** "Near me": nobody has said where that is. */
  readonly here: boolean;
}

/** The longest name of a place in words: "north miami beach", "st johns county". */
const longestPlace = 3;
/** So many names are looked up. */
const mostPlaces = 8;

const sets = {
  here: wordsOfKind('here'),
  near: wordsOfKind('near'),
  in: wordsOfKind('in'),
  open: wordsOfKind('open'),
  now: wordsOfKind('now'),
  today: wordsOfKind('today'),
};
const days = weekdays.map((day) => [day, wordsOfKind(day)] as const);
const longestOf = (set: ReadonlySet<string>): number =>
  Math.max(...[...set].map((phrase) => phrase.split(' ').length));
const longest = new Map(
  [...Object.values(sets), ...days.map(([, set]) => set)].map((set) => [set, longestOf(set)]),
);

/** Where one of the phrases stands in the words. */
function found(
  words: readonly string[],
  set: ReadonlySet<string>,
): { at: number; length: number } | undefined {
  for (let length = longest.get(set) ?? 1; length >= 1; length--)
    for (let at = 0; at + length <= words.length; at++)
      if (set.has(words.slice(at, at + length).join(' '))) return { at, length };
  return undefined;
}

const without = (words: readonly string[], { at, length }: { at: number; length: number }): string[] =>
  words.toSpliced(at, length);

/** Reads what a text says of where and when. What is a place only the directory and the gazetteer know. */
export function readText(text: string): ReadText {
  const all = searchWords(text);
  const { words: timeless, time } = timeIn(all);
  const here = found(timeless, sets.here);
  const words = here ? without(timeless, here) : timeless;
  const rest = tells(words) ? words : all;
  return {
    text: rest.length === all.length ? text : rest.join(' '),
    time: rest === all && all.length !== timeless.length ? undefined : time,
    places: here || /[^\p{L}\p{N}\s.,'’-]/u.test(text) ? [] : placesIn(rest),
    here: here !== undefined,
  };
}

const tells = (words: readonly string[]): boolean =>
  words.length > 0 && tellingInQuery(words.join(' ')).length > 0;

function timeIn(all: readonly string[]): { words: readonly string[]; time: RequestedTime | undefined } {
  let words = all;
  let time: RequestedTime | undefined;
  const open = found(words, sets.open);
  if (open) words = without(words, open);
  for (const [day, set] of days) {
    const timeWords = found(words, set);
    if (!timeWords) continue;
    time ??= day;
    words = without(words, timeWords);
  }
  for (const kind of ['now', 'today'] as const) {
    const timeWords = found(words, sets[kind]);
    if (!timeWords) continue;
    // "Today" alone tells how urgent it is.
    if (open || time !== undefined) time ??= kind;
    words = without(words, timeWords);
  }
  if (time === undefined && words.length === all.length) return { words: all, time };
  // "Open" alone may be a name: Open Table, Open Door.
  return time === undefined && open
    ? { words: all.filter((word) => !sets.now.has(word)), time }
    : { words, time };
}

/** What may name a place: after "near" and "in", and the words at the end and at the beginning that name no need. */
function placesIn(words: readonly string[]): NamedInText[] {
  const places: NamedInText[] = [];
  const add = (at: number, length: number, cut: number, near = false): void => {
    const name = words.slice(at, at + length).join(' ');
    const text = words.toSpliced(cut, at + length - cut).join(' ');
    if (cityKey(name) === '' || text === '' || tellingInQuery(text).length === 0) return;
    if (!places.some((each) => each.name === name)) places.push({ name, text, near });
  };
  for (let at = 1; at < words.length; at++) {
    for (const set of [sets.near, sets.in]) {
      for (let before = longest.get(set) ?? 1; before >= 1; before--) {
        if (at - before < 0 || !set.has(words.slice(at - before, at).join(' '))) continue;
        for (let length = Math.min(longestPlace, words.length - at); length >= 1; length--)
          add(at, length, at - before, set === sets.near);
      }
    }
  }
  for (let length = Math.min(longestPlace, words.length - 1); length >= 1; length--) {
    for (const at of [words.length - length, 0]) {
      const name = words.slice(at, at + length);
      if (!isNeed(name.join(' ')) && !/^\d{1,4}$|^\d{6,}$/.test(name.join(''))) add(at, length, at);
    }
  }
  return places.slice(0, mostPlaces);
}
