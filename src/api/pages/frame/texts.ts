import type en from '../../../tables/texts-en.json';
import { readTexts, type Texts as TextsOf } from '../../../tables/read-texts.ts';
import { spokenTexts, type WrittenTexts } from '../../../tables/spoken-texts.ts';
import { languages, type Language } from './language.ts';

/** The texts that the code fills, and with what. `count` chooses a plural form. */
const placeholders = {
  errors: { tooManySearches: ['count'] },
  find: {
    counted: ['name', 'count'],
    nearPlace: ['what', 'place'],
    count: ['written', 'count'],
    countMore: ['written'],
    remove: ['filter'],
    spoken: ['language'],
    within: ['distance'],
    units: { km: ['amount', 'count'], mi: ['amount', 'count'] },
    away: ['distance'],
    cutText: ['characters'],
    unknownPlace: ['place'],
    searchTextInstead: ['text'],
    farther: ['distance'],
    allOf: ['kind'],
  },
  opening: {
    time: { am: ['hour', 'minute'], pm: ['hour', 'minute'] },
    theTime: { hour: ['time', 'count'] },
    atTime: { hour: ['time', 'count'] },
    openUntil: ['theTime'],
    openUntilDay: ['atTime', 'day'],
    opensToday: ['atTime'],
    opensTomorrow: ['atTime'],
    opensOn: ['atTime', 'day'],
  },
  record: {
    offeredBy: ['organization'],
    extension: ['extension'],
    spoken: ['languages'],
    call: ['number'],
    directionsTo: ['place'],
    timesIn: ['zone'],
    from: ['date'],
    until: ['date'],
    between: ['from', 'to'],
    nextDay: ['times'],
    ofMonth: {
      first: ['day'],
      second: ['day'],
      third: ['day'],
      fourth: ['day'],
      fifth: ['day'],
      last: ['day'],
    },
    agesUpTo: ['maximum'],
    agesFrom: ['minimum'],
    agesBetween: ['minimum', 'maximum'],
    verified: ['date'],
    updated: ['date'],
  },
  report: { lead: ['name'] },
  form: {
    by: ['team'],
    summary: ['count'],
    numberFrom: ['minimum'],
    numberUpTo: ['maximum'],
    numberBetween: ['minimum', 'maximum'],
    problems: { tooMany: ['count'] },
    closed: ['team'],
  },
  widget: {
    range: ['from', 'to'],
    rangeOfTotal: ['from', 'to', 'total'],
    call: ['number', 'name'],
    directionsTo: ['name'],
    websiteOf: ['name'],
  },
} as const;

/**
 * What the public pages and the widget say, in one language. Short everyday words for people in need: what there is, and
 * what to do next.
 */
export type Texts = TextsOf<typeof en, typeof placeholders>;

/** The texts as they are in their files. */
export const writtenTexts: Readonly<Record<Language, WrittenTexts>> = readTexts(languages, placeholders);

export const textsByLanguage = Object.fromEntries(
  languages.map((language) => [language, spokenTexts(writtenTexts[language], language)]),
) as unknown as Readonly<Record<Language, Texts>>;
