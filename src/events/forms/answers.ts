import type { FieldKind, FormField } from './definition.ts';
import { largestAnswers } from './submission.ts';
import { normalAddress } from '../accounts/email-address.ts';

/** An answer, normalised: a number, whether a box is ticked, the keys of options, or text. */
export type Answer = string | number | boolean | readonly string[];
/** By the keys of the fields. A field that was left empty is absent. */
export type Answers = Readonly<Record<string, Answer>>;

/** What can be wrong with the answer to a field. */
export const answerProblems = [
  'missing',
  'unticked',
  'not_text',
  'too_long',
  'email',
  'phone',
  'number',
  'below_minimum',
  'above_maximum',
  'option',
  'not_several',
  'date',
  'checkbox',
] as const;
export type AnswerProblem = (typeof answerProblems)[number];

export type CheckedAnswers =
  | { readonly kind: 'accepted'; readonly answers: Answers }
  /** At least one of the two is not empty. */
  | {
      readonly kind: 'refused';
      readonly problems: ReadonlyMap<string, AnswerProblem>;
      readonly unknown: readonly string[];
    }
  | { readonly kind: 'too_large' };

/** The most characters of an answer. */
export const longest = { text: 500, long_text: 10_000, email: 254, phone: 40 } as const;
/** More lines than this are no answer. */
const mostLines = 1_000;

/** Checks what was given, by key, against the fields of a form, and normalises it. */
export function checkAnswers(
  fields: readonly FormField[],
  input: ReadonlyMap<string, unknown>,
): CheckedAnswers {
  const fieldKeys = new Set(fields.map(({ key }) => key));
  const unknown = [...input.keys()].filter((key) => !fieldKeys.has(key));
  const problems = new Map<string, AnswerProblem>();
  const answers: (readonly [string, Answer])[] = [];
  for (const field of fields) {
    const checked = checkAnswer(field, input.get(field.key));
    if (checked === undefined) continue;
    if (typeof checked === 'object' && 'problem' in checked) problems.set(field.key, checked.problem);
    else answers.push([field.key, checked]);
  }
  if (problems.size > 0 || unknown.length > 0) return { kind: 'refused', problems, unknown };
  const accepted = Object.fromEntries(answers);
  return Buffer.byteLength(JSON.stringify(accepted)) > largestAnswers
    ? { kind: 'too_large' }
    : { kind: 'accepted', answers: accepted };
}

type Checked = Answer | { readonly problem: AnswerProblem } | undefined;

const wrong = (problem: AnswerProblem): Checked => ({ problem });

function checkAnswer(field: FormField, input: unknown): Checked {
  const { kind } = field;
  if (kind === 'checkbox') return ticked(field, input);
  if (kind === 'choice') return chosen(field, input);
  if (input === undefined || input === null) return field.required ? wrong('missing') : undefined;
  if (field.kind === 'number' && typeof input === 'number') return inRange(field, input);
  if (typeof input !== 'string') return wrong(field.kind === 'number' ? 'number' : 'not_text');
  const text = field.kind === 'long_text' ? cleanLines(input) : cleanLine(input);
  if (text === '') return field.required ? wrong('missing') : undefined;
  return written(kind, field, text);
}

/** The answer that somebody has written as text that is not empty. */
function written(kind: Exclude<FieldKind, 'checkbox' | 'choice'>, field: FormField, text: string): Checked {
  switch (kind) {
    case 'long_text':
      return charactersIn(text) > longest.long_text || text.split('\n').length > mostLines
        ? wrong('too_long')
        : text;
    case 'email':
      return isEmail(text) ? text : wrong('email');
    case 'phone':
      return isPhone(text) ? text : wrong('phone');
    case 'number': {
      const number = numberIn(text);
      return number === undefined ? wrong('number') : inRange(field, number);
    }
    case 'date':
      return isDate(text) ? text : wrong('date');
    case 'text':
      return charactersIn(text) > longest.text ? wrong('too_long') : text;
  }
}

function ticked({ required }: FormField, input: unknown): Checked {
  const word = typeof input === 'string' ? input.trim().toLowerCase() : input;
  const is = input === undefined || input === null ? false : ticks.get(word);
  if (is === undefined) return wrong('checkbox');
  return required && !is ? wrong('unticked') : is;
}

/** What browsers and programs send for a checkbox. */
const ticks: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 'true', 'on', 'yes', '1'].map((value) => [value, true] as const),
  ...[false, 'false', 'off', 'no', '0', ''].map((value) => [value, false] as const),
]);

/** The keys of the chosen options, in the order of the form. */
function chosen({ required, several = false, options = [] }: FormField, input: unknown): Checked {
  const all: readonly unknown[] = Array.isArray(input) ? input : input === undefined ? [] : [input];
  const keys = all.filter((each) => each !== '' && each !== null);
  if (keys.length === 0) return required ? wrong('missing') : undefined;
  if (!several && keys.length > 1) return wrong('not_several');
  const optionKeys = options.map(({ key }) => key);
  if (!keys.every((each) => optionKeys.includes(each as string))) return wrong('option');
  return several ? optionKeys.filter((key) => keys.includes(key)) : (keys[0] as string);
}

function inRange({ minimum = -Infinity, maximum = Infinity }: FormField, number: number): Checked {
  // No form asks for more. Beyond this, digits would be lost.
  if (!Number.isFinite(number) || Math.abs(number) > 1e15) return wrong('number');
  if (number < minimum) return wrong('below_minimum');
  // -0 would be written as 0.
  return number > maximum ? wrong('above_maximum') : number + 0;
}

/** A number as people write it. A comma before one or two digits at the end is a decimal comma. */
export function numberIn(text: string): number | undefined {
  const plain = text.replace(/^([+-]?\d+),(\d{1,2})$/, '$1.$2');
  return /^[+-]?\d{1,15}(\.\d{1,10})?$/.test(plain) ? Number(plain) : undefined;
}

/** An address of the internet: its domain has a dot. */
const isEmail = (text: string): boolean =>
  text.length <= longest.email && normalAddress(text)?.split('@')[1]?.includes('.') === true;

const isPhone = (text: string): boolean =>
  text.length <= longest.phone &&
  /^[+(\d][\d ().\-/]*(?:(?:x|ext\.?) ?\d+)?$/i.test(text) &&
  /(\d\D*){7}/.test(text);

/** A date of the calendar as YYYY-MM-DD, which is what a browser sends. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

const charactersIn = (text: string): number => Array.from(text).length;

/** Directional embeddings, overrides and isolates: they would reorder what stands beside the answer (UAX 9). */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
/** Control characters, except line breaks. */
// eslint-disable-next-line no-control-regex -- these are what is left out
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** Well-formed text in NFC without control characters, with LF as its line break. */
const cleanLines = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(controls, ' ')
    .replace(reordering, '')
    .trim();

const cleanLine = (text: string): string => cleanLines(text).replace(/\s+/g, ' ');
