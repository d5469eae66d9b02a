import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { languageCodes, languageFolders } from './language-codes.ts';
import { cell, listCell, readTable } from './read-table.ts';

/** What a row of `search.tsv` is for. The file of English says what each kind means. */
export const wordKinds = [
  'stop',
  'stop beside',
  'besides',
  'free',
  'common',
  'here',
  'near',
  'in',
  'open',
  'now',
  'today',
  'mon',
  'tue',
  'wed',
  'thu',
  'fri',
  'sat',
  'sun',
] as const;
export type WordKind = (typeof wordKinds)[number];

/** What people type who may be in danger, and the need that is searched for. */
export interface CrisisPhrase {
  readonly phrase: string;
  readonly need: string;
}

/** How people search in a language: its folder of `languages/`. English is what the others are compared with. */
export interface SearchWords {
  readonly code: string;
  /** The phrases of each need, by its name. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** Words and phrases by what they are for. */
  readonly words: ReadonlyMap<WordKind, readonly string[]>;
  readonly crisis: readonly CrisisPhrase[];
}

/** Who has read a file of a language. */
export interface Review {
  readonly file: string;
  /** "nobody yet" where it is so. */
  readonly by: string;
  readonly against: string;
}

const englishNeeds = readTable('languages/en/needs.tsv', { need: cell, phrases: listCell }, ['need']);
const namesOfNeeds = new Set(englishNeeds.map(({ need }) => need));
const englishNeed = cell.refine((name) => namesOfNeeds.has(name), 'is no need of en/needs.tsv');

/** Of all languages, English first. Throws `TableError` for a file with a fault: nothing starts with it. */
export const searchWordsOfLanguages: readonly SearchWords[] = languageCodes.map(searchWordsIn);

function searchWordsIn(code: string): SearchWords {
  const words = readTable(`languages/${code}/search.tsv`, { kind: z.enum(wordKinds), words: listCell }, [
    'kind',
  ]);
  const needs =
    code === 'en'
      ? englishNeeds
      : readTable(`languages/${code}/needs.tsv`, { need: englishNeed, phrases: listCell }, ['need']);
  return {
    code,
    needs: new Map(needs.map((row) => [row.need, row.phrases])),
    words: new Map(words.map((row) => [row.kind, row.words])),
    crisis: readTable(`languages/${code}/crisis.tsv`, { phrase: cell, need: englishNeed }, ['phrase']),
  };
}

/** Who has read the files of a language. */
export const reviewsOf = (code: string): Review[] =>
  readTable(
    `languages/${code}/reviewed.tsv`,
    { file: cell, 'reviewed by': cell, 'check against': z.string() },
    ['file'],
  ).map((row) => ({ file: row.file, by: row['reviewed by'], against: row['check against'] }));

/** What a language lacks beside what it cannot start without: needs, kinds of words, and files that nobody has reviewed. */
export function lacksOf(code: string): string[] {
  const [english] = searchWordsOfLanguages;
  const own = searchWordsOfLanguages.find((each) => each.code === code);
  if (!english || !own) return [`languages/${code} is no folder`];
  const needs = [...english.needs.keys()].filter((need) => !own.needs.has(need));
  // Words that are left out always are those of English and Spanish in records: other languages name theirs.
  const kinds = wordKinds.filter((kind) => english.words.has(kind) && !own.words.has(kind));
  const crisis = new Set(english.crisis.map(({ need }) => need));
  for (const { need } of own.crisis) crisis.delete(need);
  const reviews = reviewsOf(code);
  const files = readdirSync(new URL(`${code}/`, languageFolders)).filter((file) => file !== 'reviewed.tsv');
  return [
    ...needs.map((need) => `languages/${code}/needs.tsv lacks ${need}`),
    ...kinds.map((kind) => `languages/${code}/search.tsv lacks ${kind}`),
    ...[...crisis].map((need) => `languages/${code}/crisis.tsv has no phrase for ${need}`),
    ...files
      .filter((file) => !reviews.some((each) => each.file === file))
      .map((file) => `languages/${code}/reviewed.tsv does not say who reviewed ${file}`),
    ...reviews
      .filter(({ by }) => by === 'nobody yet')
      .map(
        ({ file, against }) =>
          `languages/${code}/${file}: nobody has reviewed it yet${against === '' ? '' : ` (check against ${against})`}`,
      ),
  ];
}
