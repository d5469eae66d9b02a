import type en from '../../../tables/languages/en/texts.json';
import { readTexts, type Texts as TextsOf } from '../../../tables/read-texts.ts';
import { spokenTexts, type WrittenTexts } from '../../../tables/spoken-texts.ts';
import { languages, type Language } from './language.ts';

/** The texts that the code fills, and with what. `count` chooses a plural form. */
const valueNames = {
  date: ['day', 'month', 'year'],
  monthOfYear: ['month', 'year'],
  errors: { tooManySearches: ['count'] },
  find: {
    map: { missing: ['count'] },
    counted: ['name', 'count'],
    nearPlace: ['what', 'place'],
    count: ['written', 'count'],
    countMore: ['written'],
    remove: ['filter'],
    spoken: ['language'],
    within: ['distance'],
    units: { km: ['amount', 'count'], mi: ['amount', 'count'] },
    away: ['distance'],
    aboutAway: ['distance'],
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
    writtenIn: ['language'],
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
    updated: ['date'],
    readFrom: ['directory', 'date'],
  },
  confirmed: {
    by: { agency: ['when'], team: ['when'], source: ['when'] },
    when: { daysAgo: ['count'], period: ['period'] },
    stale: {
      record: ['period'],
      hours: ['period'],
      phones: ['period'],
      places: ['period'],
      changed: { hours: ['period'], phones: ['period'], places: ['period'] },
    },
  },
  organization: { summary: ['name'], partOf: ['organization'], moreServices: ['number'] },
  report: { lead: ['name'] },
  suggest: { lead: ['name'], problems: { tooLong: ['most'], tooMany: ['most'], phone: ['typed'] } },
  form: {
    by: ['team'],
    summary: ['count'],
    numberFrom: ['minimum'],
    numberUpTo: ['maximum'],
    numberBetween: ['minimum', 'maximum'],
    problems: { tooMany: ['count'] },
    closed: ['team'],
    erasedAfter: ['count'],
    receiptMail: { subject: ['form'], text: ['form', 'team', 'number'] },
  },
  decisionMail: {
    subject: ['count', 'written'],
    record: ['name', 'team'],
    records: ['team'],
    counts: {
      approved: ['count', 'written'],
      rejected: ['count', 'written'],
      inactive: ['count', 'written'],
      submitted: ['count', 'written'],
    },
    reason: ['note'],
  },
  agencyMail: {
    subject: ['team'],
    why: ['count', 'team'],
    time: ['days'],
  },
  agency: {
    script: ['team', 'name'],
    lead: ['team'],
    progress: ['done', 'all'],
    doneFor: ['team'],
    stopSentence: ['team'],
    stopped: ['team'],
  },
  claimMail: {
    subject: ['name'],
    claimed: ['name', 'team'],
    hours: ['hours'],
    approvedSubject: ['team'],
    approved: ['name', 'team'],
    days: ['days'],
    refusedSubject: ['team'],
    refused: ['name', 'team'],
    refusedWhy: ['reason'],
  },
  claim: {
    lead: ['name'],
    closed: ['name'],
    proveLead: ['team'],
    waits: ['team'],
    keptLead: ['team'],
    none: ['host'],
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
export type Texts = TextsOf<typeof en, typeof valueNames>;

/** The texts as they are in their files. */
const written = readTexts(languages, valueNames);

const spoken = new Map(
  languages.map((language) => [
    language,
    spokenTexts(writtenTextsIn(language), language) as unknown as Texts,
  ]),
);

/** The texts of one of the languages of the pages. */
export function textsIn(language: Language): Texts {
  const texts = spoken.get(language);
  if (!texts) throw new Error(`There are no texts in ${language}.`);
  return texts;
}

/** The same as they are in its file. */
export function writtenTextsIn(language: Language): WrittenTexts {
  const texts = written.get(language);
  if (!texts) throw new Error(`There are no texts in ${language}.`);
  return texts;
}
