import type { Category } from '../../../events/directory/category.ts';
import type { Weekday } from '../../../events/directory/local-time.ts';
import type { phoneTypes } from '../../../events/directory/phone.ts';

import type { FrameTexts } from '../../pages/public/frame-texts.ts';

/**
 * What the public pages of the directory say, in one language. Short everyday words for people in need: what there is, and what to do
 * next.
 */
export interface Texts extends FrameTexts {
  readonly categories: Readonly<Record<Category, CategoryText>>;
  readonly search: {
    readonly label: string;
    readonly placeholder: string;
    readonly button: string;
  };
  readonly errors: FrameTexts['errors'] & {
    readonly tooManySearchesTitle: string;
    readonly tooManySearches: (seconds: number) => string;
  };
  readonly find: FindTexts;
  readonly opening: OpeningTexts;
  readonly record: RecordTexts;
  readonly report: ReportTexts;
}

/** The start page, the form to search with and its results. */
export interface FindTexts {
  readonly title: string;
  readonly lead: string;
  readonly near: string;
  readonly nearHint: string;
  readonly locate: string;
  readonly locating: string;
  readonly located: string;
  readonly notLocated: string;
  readonly openNow: string;
  readonly free: string;
  readonly kinds: string;
  readonly filters: string;
  readonly apply: string;
  readonly kind: string;
  readonly anyKind: string;
  readonly radius: string;
  readonly city: string;
  readonly anyCity: string;
  readonly languageSpoken: string;
  readonly anyLanguage: string;
  readonly sort: string;
  readonly sorts: Readonly<Record<'relevance' | 'distance', string>>;
  /** A value of a filter, and how many have it. */
  readonly counted: (name: string, count: string) => string;
  /** What is searched for where nobody says what. */
  readonly everything: string;
  /** "Food near 33101" */
  readonly nearPlace: (what: string, place: string) => string;
  /** A place that was given as coordinates. */
  readonly point: string;
  readonly results: string;
  /** `more`: there are at least so many. */
  readonly count: (count: number, written: string, more: boolean) => string;
  readonly chosen: string;
  readonly remove: (filter: string) => string;
  readonly spoken: (language: string) => string;
  readonly within: (distance: string) => string;
  readonly units: Readonly<Record<'km' | 'mi', (amount: string, count: number) => string>>;
  readonly away: (distance: string) => string;
  readonly more: string;
  readonly lookFurther: string;
  readonly mayBeMore: string;
  readonly firstPage: string;
  readonly pages: string;
  readonly expired: string;
  readonly didYouMean: string;
  readonly cutText: (characters: number) => string;
  readonly unknownPlace: (place: string) => string;
  readonly searchTextInstead: (text: string) => string;
  readonly everywhere: string;
  readonly nothingTitle: string;
  readonly nothingMore: string;
  readonly fewerWords: string;
  readonly anotherPlace: string;
  readonly withoutFilters: string;
  readonly farther: (distance: string) => string;
  readonly allOf: (kind: string) => string;
}

export interface CategoryText {
  readonly label: string;
  /** What is found there, in a few words. */
  readonly about: string;
}

/** Times are given as minutes after midnight on the clock of the place. */
export interface OpeningTexts {
  readonly days: Readonly<Record<Weekday, string>>;
  /** "5:00 pm" */
  readonly time: (minutes: number) => string;
  readonly open: string;
  readonly openUntil: (minutes: number) => string;
  /** Open until a day after tomorrow. */
  readonly openUntilDay: (minutes: number, day: Weekday) => string;
  readonly closed: string;
  readonly opensToday: (minutes: number) => string;
  readonly opensTomorrow: (minutes: number) => string;
  readonly opensOn: (minutes: number, day: Weekday) => string;
  readonly unknown: string;
  readonly temporarilyClosed: string;
  readonly defunct: string;
  readonly allDay: string;
}

export interface RecordTexts {
  readonly offeredBy: (organization: string) => string;
  /** The part of the page with status, phone and directions. */
  readonly reach: string;
  readonly alert: string;
  readonly phone: string;
  readonly phones: string;
  readonly phoneTypes: Readonly<Record<(typeof phoneTypes)[number], string>>;
  readonly extension: (extension: string) => string;
  readonly spoken: (languages: string) => string;
  readonly call: (number: string) => string;
  readonly address: string;
  readonly addresses: string;
  readonly directions: string;
  readonly map: string;
  readonly directionsTo: (place: string) => string;
  readonly confidential: string;
  readonly virtual: string;
  readonly hours: string;
  readonly today: string;
  readonly closedThatDay: string;
  readonly timesIn: (zone: string) => string;
  readonly day: string;
  readonly times: string;
  readonly asWritten: string;
  readonly from: (date: string) => string;
  readonly until: (date: string) => string;
  readonly between: (from: string, to: string) => string;
  readonly about: string;
  readonly cost: string;
  readonly free: string;
  readonly eligibility: string;
  readonly ages: (minimum: number | undefined, maximum: number | undefined) => string;
  readonly languages: string;
  readonly documents: string;
  readonly howToApply: string;
  readonly accessibility: string;
  readonly gettingThere: string;
  readonly serviceArea: string;
  readonly website: string;
  readonly alsoKnownAs: string;
  readonly alsoIn: string;
  readonly verified: (date: string) => string;
  readonly updated: (date: string) => string;
  readonly share: string;
  readonly print: string;
  readonly reportMistake: string;
  readonly notFoundTitle: string;
  readonly notFound: string;
  readonly goneTitle: string;
  readonly gone: string;
}

export interface ReportTexts {
  readonly title: string;
  readonly lead: (name: string) => string;
  readonly what: string;
  readonly choices: Readonly<Record<'closed' | 'phone' | 'address' | 'hours' | 'other', string>>;
  readonly text: string;
  readonly textHint: string;
  readonly contact: string;
  readonly contactHint: string;
  readonly optional: string;
  /** The label of the field that people do not see. Programs fill it in. */
  readonly trap: string;
  readonly send: string;
  readonly back: string;
  readonly doneTitle: string;
  readonly done: string;
  readonly problems: {
    readonly what: string;
    readonly textMissing: string;
    readonly textTooLong: string;
    readonly contact: string;
    readonly expired: string;
    readonly tooMany: string;
    readonly full: string;
  };
}
