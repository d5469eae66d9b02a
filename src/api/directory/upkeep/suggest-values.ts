import { hash } from 'node:crypto';
import { phone as phoneSchema } from '../../../events/directory/contact.ts';
import { flatMembers, mainLocation, shownHours } from '../../../events/directory/flat-members.ts';
import { resourceFieldTable, type UnsealedFields } from '../../../events/directory/resource-fields.ts';
import type { SuggestedFields } from '../../../commands/directory/upkeep/suggested-values.ts';
import { readHours } from '../../../hsds/hours/read.ts';
import { writeHours } from '../../../hsds/hours/write.ts';
import { cleanText } from '../../../hsds/text.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { linesOf, noNumber, phoneLine, phonesFrom } from '../dash/record/phone-lines.ts';

/** What people who are not of the team may suggest, in the order of the form. */
export const suggestNames = [
  'name',
  'phone',
  'phones',
  'address',
  'city',
  'hours',
  'url',
  'email',
  'description',
  'how_to_apply',
  'cost',
  'eligibility',
  'languages',
] as const;
export type SuggestName = (typeof suggestNames)[number];

/** The entries that the form of a record has, and what stands in each. */
export type SuggestValues = Readonly<Partial<Record<SuggestName, string>>>;
export type SuggestProblems = Readonly<Partial<Record<SuggestName | 'note' | 'contact' | 'form', string>>>;

/** What a record says, as the form shows it. What is not public is shown as nothing, and a confidential place not at all. */
export function shownValues(fields: UnsealedFields): SuggestValues {
  const main = mainLocation(fields);
  const hasOwnPhone = main?.phones !== undefined && main.phones.length > 0;
  return {
    name: fields.name,
    ...(hasOwnPhone
      ? { phone: flatMembers.phone.of(fields) ?? '' }
      : { phones: (fields.phones ?? []).map(phoneLine).join('\n') }),
    ...(main?.confidential
      ? {}
      : { address: flatMembers.address.of(fields) ?? '', city: flatMembers.city.of(fields) ?? '' }),
    hours: shownHours(fields) ?? writeHours(fields.opening_hours ?? []),
    url: fields.url ?? '',
    email: '',
    description: fields.description ?? '',
    how_to_apply: fields.how_to_apply ?? '',
    cost: fields.cost ?? '',
    eligibility: fields.eligibility ?? '',
    languages: (fields.languages ?? []).join(', '),
  };
}

/** The most characters of the words beside the fields. */
export const longestNote = 2_000;

/** The most characters of an entry. */
export const longestOf: Readonly<Record<SuggestName, number>> = {
  name: 300,
  phone: 120,
  phones: 2_000,
  address: 500,
  city: 120,
  hours: 2_000,
  url: 2_000,
  email: 254,
  description: 10_000,
  how_to_apply: 4_000,
  cost: 2_000,
  eligibility: 4_000,
  languages: 2_000,
};

/** Well-formed text without control characters, with LF as its line break. */
export const typedText = (value: string | null): string =>
  (value ?? '')
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // eslint-disable-next-line no-control-regex -- these are what is left out
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
    .trim();

/** What was typed into the entries of the form. One that did not come is as it was shown. */
const typedValues = (form: URLSearchParams, shown: SuggestValues): SuggestValues =>
  Object.fromEntries(
    namesOf(shown).map((name) => [name, form.has(name) ? typedText(form.get(name)) : (shown[name] ?? '')]),
  );

export const namesOf = (values: SuggestValues): SuggestName[] =>
  suggestNames.filter((name) => values[name] !== undefined);

/** What came back of the form. `seen`: see `seenOf`. */
export interface FilledForm {
  readonly seen: string;
  readonly values: SuggestValues;
  readonly closed: boolean;
  readonly note: string;
  readonly contact: string;
}

/** What the form of a record is opened with. */
export function openedWith(fields: UnsealedFields): FilledForm {
  const values = shownValues(fields);
  return { values, seen: seenOf(values), closed: false, note: '', contact: '' };
}

/** What was filled in. */
export const filledIn = (form: URLSearchParams, fields: UnsealedFields): FilledForm => ({
  seen: (form.get('seen') ?? '').slice(0, 1_000),
  values: typedValues(form, shownValues(fields)),
  closed: form.get('closed') === 'yes',
  note: typedText(form.get('note')),
  contact: typedText(form.get('contact')),
});

/** A form that says something. `isOutdated`: the record says something else by now than what was shown and changed. */
export interface CheckedForm {
  readonly kind: 'change' | 'closed';
  readonly fields: SuggestedFields;
  readonly isOutdated: boolean;
}

/** What a form says, or what is wrong with its entries. Who to reach is checked by the form that asks for it. */
export function checkedIn(
  { seen, values, closed, note }: FilledForm,
  record: UnsealedFields,
  texts: Texts['suggest'],
): CheckedForm | SuggestProblems {
  const shown = shownValues(record);
  const touched = closed ? [] : touchedNames(seen, shown, values);
  const { fields, problems: ofFields } = suggestedBy(record, values, touched, texts);
  const { problems: words } = texts;
  const problems: SuggestProblems = {
    ...ofFields,
    ...(Array.from(note).length > longestNote && { note: words.tooLong({ most: longestNote }) }),
    ...(!closed && note === '' && touched.length === 0 && { form: words.nothing }),
  };
  if (Object.keys(problems).length > 0) return problems;
  const isOutdated = touched.some((name) => !isAsSeen(name, seen, shown));
  return { kind: closed ? 'closed' : 'change', fields, isOutdated };
}

const digestOf = (text: string): string => hash('sha256', typedText(text)).slice(0, 12);

/** Names what the form showed, so that it is told later what somebody changed in it, whatever the record says then. */
const seenOf = (shown: SuggestValues): string =>
  namesOf(shown)
    .map((name) => `${name}:${digestOf(shown[name] ?? '')}`)
    .join(' ');

/** The entries that somebody changed. `seen`: see `seenOf`; without it, they are compared with what the record says now. */
function touchedNames(seen: string, shown: SuggestValues, typed: SuggestValues): SuggestName[] {
  const digests = new Map(seen.split(' ').map((each) => each.split(':', 2) as [string, string]));
  return namesOf(shown).filter(
    (name) => digestOf(typed[name] ?? '') !== (digests.get(name) ?? digestOf(shown[name] ?? '')),
  );
}

/** Whether an entry says now what the form showed. */
const isAsSeen = (name: SuggestName, seen: string, shown: SuggestValues): boolean =>
  seen.split(' ').includes(`${name}:${digestOf(shown[name] ?? '')}`);

/** What a form suggests, or what is wrong about its entries. */
function suggestedBy(
  fields: UnsealedFields,
  typed: SuggestValues,
  touched: readonly SuggestName[],
  { problems: texts }: Texts['suggest'],
): { readonly fields: SuggestedFields; readonly problems: SuggestProblems } {
  const suggested: Record<string, unknown> = {};
  const problems: Partial<Record<SuggestName, string>> = {};
  for (const name of touched) {
    const text = typed[name] ?? '';
    const value = valueOf(name, text, fields);
    Object.assign(suggested, value);
    const problem = problemOf(name, text, value, fields, texts);
    if (problem !== undefined) problems[name] = problem;
  }
  return { fields: suggested, problems };
}

/** The fields that an entry is about. Null removes one. */
function valueOf(name: SuggestName, text: string, fields: UnsealedFields): SuggestedFields {
  if (name === 'hours') return hoursFrom(text);
  if (text === '') return { [name]: null };
  if (name === 'phones') return { phones: phonesFrom(text, fields.phones) };
  if (name === 'languages') return { languages: [...new Set(partsOf(text))] };
  if (name === 'url') return { url: /^[a-z]+:/i.test(text) ? text : `https://${text}` };
  return { [name]: text };
}

const partsOf = (text: string): string[] => linesOf(text.replace(/[,;]/g, '\n'));

/** Hours in words, with the rules that they are understood to say: all or none, because rules that say less would mislead. */
function hoursFrom(text: string): SuggestedFields {
  if (text === '') return { hours: null, opening_hours: null };
  const { understood, rows } = readHours(cleanText(text));
  return { hours: text, opening_hours: understood === 'fully' && rows.length > 0 ? [...rows] : null };
}

function problemOf(
  name: SuggestName,
  text: string,
  value: SuggestedFields,
  fields: UnsealedFields,
  texts: Texts['suggest']['problems'],
): string | undefined {
  if (text === '') return name === 'name' ? texts.missing : undefined;
  const most = longestOf[name];
  if (Array.from(text).length > most) return texts.tooLong({ most });
  if (name === 'phones' || name === 'phone') {
    const numbers = name === 'phone' ? [{ number: text }] : (value.phones ?? []);
    const wrong = noNumber(numbers, fields.phones) ?? numbers.find((each) => !isPhone(each))?.number;
    if (wrong !== undefined) return texts.phone({ typed: wrong.slice(0, 60) });
  }
  const schema = name in flatMembers ? flatMembers[name as 'phone'].schema : rowOf(name);
  const own = name === 'hours' ? text : value[name];
  const { success, error } = schema.safeParse(own);
  const [issue] = success ? [] : error.issues;
  if (!issue) return undefined;
  if (issue.code === 'too_big')
    return issue.origin === 'array'
      ? texts.tooMany({ most: Number(issue.maximum) })
      : texts.tooLong({ most: Number(issue.maximum) });
  return name === 'url' || name === 'email' ? texts[name] : texts.wrong;
}

const rowOf = (name: SuggestName) =>
  resourceFieldTable[name as Exclude<SuggestName, keyof typeof flatMembers>].schema;

const isPhone = (each: unknown): boolean => phoneSchema.safeParse(each).success;
