import type { ImpersonalFields } from '../../../../../src/events/directory/resource-fields.ts';

/** A record as it is judged: what a person reads of it. */
export interface JudgedRecord {
  /** In its source. */
  readonly id: string;
  readonly fields: ImpersonalFields;
}

/** Whether a person who asked would take this record. By what the record says alone, never by what a search answers. */
export type Rule = (record: JudgedRecord) => boolean;

export const all =
  (...rules: readonly Rule[]): Rule =>
  (record) =>
    rules.every((rule) => rule(record));

export const any =
  (...rules: readonly Rule[]): Rule =>
  (record) =>
    rules.some((rule) => rule(record));

export const not =
  (rule: Rule): Rule =>
  (record) =>
    !rule(record);

/** One of its taxonomy terms is written so. */
export const term =
  (written: RegExp): Rule =>
  ({ fields: { taxonomy_terms = [] } }) =>
    taxonomy_terms.some((each) => written.test(each));

/** It, or the organization that offers it, is called so. */
export const called =
  (written: RegExp): Rule =>
  ({ fields: { name, alternate_name = '', organization } }) =>
    [name, alternate_name, organization?.name ?? ''].some((each) => written.test(each));

/** Its description or its name says so. */
export const says =
  (written: RegExp): Rule =>
  ({ fields: { name, description = '' } }) =>
    written.test(name) || written.test(description);

/** One of its places is in one of these towns, as they are written in the record. */
export const inTown =
  (...towns: readonly string[]): Rule =>
  ({ fields: { locations = [] } }) =>
    locations.some(({ city = '' }) => towns.includes(city));

/** The postal code of one of its places begins so. */
export const inPostalCode =
  (digits: string): Rule =>
  ({ fields: { locations = [] } }) =>
    locations.some(({ postal_code = '' }) => postal_code.startsWith(digits));

/** One of its numbers contains these digits. */
export const hasNumber =
  (digits: string): Rule =>
  ({ fields: { phones = [], locations = [] } }) =>
    [...phones, ...locations.flatMap((location) => location.phones ?? [])].some(({ number }) =>
      number.replace(/\D/g, '').includes(digits),
    );

type Day = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

/** Its structured hours, or its hours in words, name this day. */
export const opensOn =
  (day: Day, written: RegExp): Rule =>
  ({ fields: { opening_hours = [], hours = '' } }) =>
    opening_hours.some(({ days }) => (days as readonly string[]).includes(day)) || written.test(hours);

/** It says that this language is spoken. */
export const speaks =
  (written: RegExp): Rule =>
  ({ fields: { languages = [] } }) =>
    languages.some((each) => written.test(each));
