import { expect, expectTypeOf, it } from 'vitest';
import { defined } from '../../src/ground/defined.ts';

it('leaves out the undefined members, and keeps the order of the others', () => {
  const made = defined({ b: 1, gone: undefined, a: 2 });
  expect(Object.keys(made)).toEqual(['b', 'a']);
});

it('keeps null, false, 0 and the empty text', () => {
  expect(defined({ none: null, no: false, zero: 0, text: '' })).toEqual({
    none: null,
    no: false,
    zero: 0,
    text: '',
  });
});

it('makes a member optional that may be undefined, and no other', () => {
  const note = 'a note' as string | undefined;
  expectTypeOf(defined({ id: 1, note })).toExtend<{ id: number; note?: string }>();
  expectTypeOf(defined({ id: 1, note })).not.toExtend<{ id: number; note: string }>();
});
