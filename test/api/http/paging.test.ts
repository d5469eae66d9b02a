import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ListCursors } from '../../../src/api/http/list-cursors.ts';
import { readParameters } from '../../../src/api/http/read-parameters.ts';
import { pageQuery, TeamPages } from '../../../src/api/http/team-pages.ts';
import { Problem } from '../../../src/api/http/responses/problem.ts';
import { BadQuery } from '../../../src/api/http/query-string.ts';

const refusal = (run: () => unknown): { readonly code?: string; readonly sentence: string } => {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, sentence: error.message };
    if (error instanceof BadQuery) return { sentence: error.message };
    throw error;
  }
  throw new Error('Nothing was refused.');
};

describe('the query of a list', () => {
  const schema = pageQuery.extend({
    radius: z.number({ error: 'must be a number' }).optional(),
    word: z.string().optional(),
  });

  it('is read by the schema that documents it', () => {
    expect(readParameters('/list?limit=7&radius=1.5&word=1', schema)).toEqual({
      limit: 7,
      radius: 1.5,
      word: '1',
    });
    expect(readParameters('/list', schema)).toEqual({ limit: 25 });
  });

  it.each([
    ['limit=0', 'limit must be at least 1.'],
    ['limit=101', 'limit must be at most 100.'],
    ['limit=many', 'limit must be a whole number.'],
    ['limit=', 'limit must be a whole number.'],
    ['limit=-1', 'limit must be a whole number.'],
    ['limit=1e1', 'limit must be a whole number.'],
    ['limit=1.5', 'limit must be a whole number.'],
    ['radius=0x1', 'radius must be a number.'],
    [`cursor=${'c'.repeat(8_001)}`, 'cursor is too long.'],
  ])('is refused when %s', (query, sentence) => {
    expect(refusal(() => readParameters(`/list?${query}`, schema))).toEqual({
      code: 'invalid_parameter',
      sentence,
    });
  });

  it('names the parameters that there are', () => {
    expect(refusal(() => readParameters('/list?page=2', schema)).sentence).toBe(
      'There is no parameter "page"; known are limit, cursor, radius, word.',
    );
  });
});

describe('a cursor of a list', () => {
  const masterKey = randomBytes(32);
  const cursors = new ListCursors<number>(masterKey, 'tests');
  const sealed = cursors.seal('harbor', 5);

  it('says where the same list goes on, on every node', () => {
    expect(new ListCursors<number>(masterKey, 'tests').open(sealed, 'harbor')).toBe(5);
    expect(cursors.open(undefined, 'harbor')).toBeUndefined();
  });

  it.each([
    ['made up', () => cursors.open('made-up', 'harbor'), /was not given out by this list, or was changed/],
    ['that was changed', () => cursors.open(`${sealed}A`, 'harbor'), /was not given out by this list/],
    [
      'of another list',
      () => new ListCursors(masterKey, 'others').open(sealed, 'harbor'),
      /was not given out by this list/,
    ],
    ['of another team', () => cursors.open(sealed, 'garden'), /belongs to another question/],
  ])('is refused when it is one %s', (_, open, sentence) => {
    expect(refusal(open)).toEqual({
      code: 'invalid_cursor',
      sentence: expect.stringMatching(sentence) as unknown,
    });
  });
});

describe('the pages of a list', () => {
  const pages = new TeamPages<{ readonly at: string; readonly id: number }>(randomBytes(32), 'tests', [
    'at',
    'id',
  ]);
  const docs = [1, 2, 3].map((id) => ({ at: 'noon', id }));

  it('go on after the last document that fits', () => {
    const first = pages.requestOf('/list?limit=2', 'harbor');
    expect(first.reading).toEqual({ limit: 3 });
    const { docs: shown, rest } = pages.page(first, docs);
    expect(shown).toEqual(docs.slice(0, 2));
    expect(rest.has_more).toBe(true);
    const second = pages.requestOf(`/list?limit=2&cursor=${String(rest.next_cursor)}`, 'harbor');
    expect(second.reading).toEqual({ limit: 3, after: ['noon', 2] });
  });

  it('end where no more was read than fits', () => {
    const { rest } = pages.page(pages.requestOf('/list?limit=3', 'harbor'), docs);
    expect(rest).toEqual({ has_more: false, next_cursor: null });
  });
});
