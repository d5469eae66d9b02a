import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkAnswers } from '../../../src/events/forms/answers.ts';
import type { FormField } from '../../../src/events/forms/definition.ts';
import { largestAnswers } from '../../../src/events/forms/submission.ts';
import { oneOfEach } from '../../support/any-form.ts';

const check = (given: Readonly<Record<string, unknown>>, fields: readonly FormField[] = oneOfEach) =>
  checkAnswers(fields, new Map(Object.entries(given)));
/** What became of the answer to one field, beside a name. */
const only = (key: string, value: unknown) => {
  const checked = check({ name: 'Ana', [key]: value });
  if (checked.kind === 'accepted') return checked.answers[key];
  return checked.kind === 'refused' ? { problem: checked.problems.get(key) } : checked;
};

describe('answers', () => {
  test.each<[string, unknown, unknown]>([
    ['story', ' a\r\nb\rc\u2028d ', 'a\nb\nc\nd'],
    ['story', 'x'.repeat(10_000), 'x'.repeat(10_000)],
    ['story', '😀'.repeat(8_000), '😀'.repeat(8_000)],
    ['story', 'e\u0301', 'é'],
    ['email', ' Ana@Example.org ', 'Ana@Example.org'],
    ['phone', '+1 305-555-0100 x12', '+1 305-555-0100 x12'],
    ['phone', '(305) 555 0100', '(305) 555 0100'],
    ['household', '4', 4],
    ['household', '4,5', 4.5],
    ['household', '+12.50', 12.5],
    ['household', 30, 30],
    ['day', 'sun', 'sun'],
    ['day', ['sun'], 'sun'],
    ['help_with', ['phones', 'driving', 'phones'], ['driving', 'phones']],
    ['help_with', 'phones', ['phones']],
    ['agrees', 'on', true],
    ['agrees', false, false],
    ['agrees', undefined, false],
    ['from', '2028-02-29', '2028-02-29'],
    ['email', '', undefined],
    ['day', '', undefined],
    ['story', '\0\u202e \n', undefined],
    ['phone', null, undefined],
  ])('are normalised: %s %j', (key, value, expected) => {
    expect(only(key, value)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ['name', '', 'missing'],
    ['name', ' \u0000 ', 'missing'],
    ['name', 5, 'not_text'],
    ['name', ['a', 'b'], 'not_text'],
    ['name', 'x'.repeat(501), 'too_long'],
    ['story', 'x'.repeat(10_001), 'too_long'],
    ['story', 'a\n'.repeat(1_001) + 'b', 'too_long'],
    ['email', 'nobody', 'email'],
    ['email', 'a@b@c', 'email'],
    ['email', 'a b@example.org', 'email'],
    ['email', 'ana@localhost', 'email'],
    ['email', `${'a'.repeat(300)}@example.org`, 'email'],
    ['phone', 'call me', 'phone'],
    ['phone', '12345', 'phone'],
    ['phone', '+', 'phone'],
    ['household', 'four', 'number'],
    ['household', '1e3', 'number'],
    ['household', '0x10', 'number'],
    ['household', '1,000', 'number'],
    ['household', '9'.repeat(400), 'number'],
    ['household', Number.NaN, 'number'],
    ['household', true, 'number'],
    ['household', '0', 'below_minimum'],
    ['household', '31', 'above_maximum'],
    ['day', 'mon', 'option'],
    ['day', '__proto__', 'option'],
    ['day', {}, 'option'],
    ['day', ['sat', 'sun'], 'not_several'],
    ['help_with', ['driving', 'toString'], 'option'],
    ['agrees', 'perhaps', 'checkbox'],
    ['agrees', ['yes', 'yes'], 'checkbox'],
    ['from', '2026-02-30', 'date'],
    ['from', '31.3.2026', 'date'],
    ['from', '2026-3-1', 'date'],
  ])('are refused: %s %j is %s', (key, value, problem) => {
    expect(only(key, value)).toEqual({ problem });
  });

  it('must be given where the form requires them, each kind', () => {
    const required = oneOfEach.map((field) => ({ ...field, required: true }));
    const checked = check({}, required);
    expect(checked).toMatchObject({ kind: 'refused', unknown: [] });
    expect(checked.kind === 'refused' && Object.fromEntries(checked.problems)).toEqual(
      Object.fromEntries(
        required.map(({ key, kind }) => [key, kind === 'checkbox' ? 'unticked' : 'missing']),
      ),
    );
  });

  it('to fields that the form has not are refused, whatever they are called', () => {
    for (const key of ['other', '__proto__', 'constructor', 'toString', '', 'Name', 'form-token']) {
      expect(
        checkAnswers(
          oneOfEach,
          new Map([
            ['name', 'Ana'],
            [key, 'x'],
          ]),
        ),
        key,
      ).toMatchObject({
        kind: 'refused',
        unknown: [key],
      });
    }
  });

  it('have at most 32 KiB together', () => {
    const many = Array.from({ length: 6 }, (_, n): FormField => ({
      key: `f${n}`,
      kind: 'long_text',
      label: { en: 'A' },
      required: false,
    }));
    const answers = (characters: number) =>
      check(Object.fromEntries(many.map(({ key }) => [key, 'é'.repeat(characters)])), many);
    expect(answers(2_700).kind).toBe('accepted');
    expect(answers(2_800).kind).toBe('too_large');
  });
});

/** Anything that JSON or a form can bring, and what is worse. */
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 60 }),
  fc
    .array(fc.constantFrom('\0', '\ud800', '\u202e', '\n', '<', '"', '&', 'ö', '😀', '\u2066'), {
      maxLength: 40,
    })
    .map((all) => all.join('')),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.constantFrom('sat', 'driving', 'x', '__proto__'), { maxLength: 4 }),
  fc.object({ maxDepth: 1 }),
  fc.constantFrom('sat', '3', 'yes', 'ana@example.org', '305 555 0100', '2026-01-01'),
);
const keys = fc.constantFrom(
  ...oneOfEach.map(({ key }) => key),
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'more',
);

describe('whatever is sent', () => {
  it('is refused, or becomes answers that can be stored, shown and checked again with the same result', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, anything), { maxLength: 12 }), (given) => {
        const checked = checkAnswers(oneOfEach, new Map(given));
        if (checked.kind !== 'accepted') return;
        const { answers } = checked;
        const json = JSON.stringify(answers);
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(largestAnswers);
        expect(JSON.parse(json)).toEqual(answers);
        expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
        const known = oneOfEach.map(({ key }) => key);
        expect(Object.keys(answers).every((key) => known.includes(key))).toBe(true);
        for (const text of Object.values(answers).filter((each) => typeof each === 'string')) {
          expect(text.isWellFormed()).toBe(true);
          // eslint-disable-next-line no-control-regex -- these must not be left
          expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        }
        expect(check(answers)).toEqual({ kind: 'accepted', answers });
      }),
      { numRuns: 2_000 },
    );
  });
});
