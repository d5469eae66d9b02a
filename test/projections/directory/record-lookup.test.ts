import { describe, expect, it } from 'vitest';
import type { ResourceEvent } from '../../../src/events/directory/resource.ts';
import { hasWords, lookupQueries, lookupTerms } from '../../../src/projections/directory/lookup-terms.ts';
import { recordLookup } from '../../../src/projections/directory/record-lookup.ts';
import { resourceSearch } from '../../../src/projections/directory/resource-search.ts';
import { given } from '../../support/fold.ts';
import { aResource, pantryFields } from '../../support/samples.ts';

const pantry = aResource();
const steps = (events: readonly ResourceEvent[]) =>
  events.map((event) => [`resource-${pantry.svc_id}`, event] as const);
const fields = {
  ...pantryFields,
  locations: [{ street: '5 Secret Road', city: 'Tampa', postal_code: '33601', confidential: true as const }],
};
const team = 'harbour';
const termsAfter = (...events: ResourceEvent[]) =>
  new Set(
    given(recordLookup, ...steps(events))
      .get(pantry.svc_id)
      ?.terms.split(' '),
  );
const isFound = (terms: ReadonlySet<string>, asked: Partial<Parameters<typeof lookupQueries>[0]>) =>
  lookupQueries({ team, words: [], ...asked }).some(({ every, except = [] }) => {
    const fits = (groups: typeof every) => groups.every((group) => group.some((each) => terms.has(each)));
    return fits(every) && !except.some(fits);
  });

describe('the entry of a record in the lookup of its team', () => {
  it('is found by its words in any status, and by its present status alone', () => {
    const story = [
      pantry.submitted({ fields }),
      pantry.rejected('No.'),
      pantry.approved(),
      pantry.deactivated(),
      pantry.revised(fields),
      pantry.reactivated(),
    ];
    const statuses = ['submitted', 'rejected', 'approved', 'inactive', 'inactive', 'approved'];
    for (const [n, status] of statuses.entries()) {
      const terms = termsAfter(...story.slice(0, n + 1));
      expect(isFound(terms, { words: ['pantry'] })).toBe(true);
      for (const each of new Set(statuses))
        expect(isFound(terms, { words: ['pan'], status: each }), `${n} ${each}`).toBe(each === status);
    }
  });

  it('has the words of the newest revision', () => {
    const terms = termsAfter(pantry.submitted({ fields }), pantry.revised({ ...fields, name: 'Larder' }));
    expect(isFound(terms, { words: ['larder'] })).toBe(true);
    expect(isFound(terms, { words: ['pantry'] })).toBe(false);
  });

  it('is no entry of another team, and has nothing that is confidential', () => {
    const terms = termsAfter(pantry.submitted({ fields }));
    expect(isFound(terms, { words: ['pantry'], team: 'another' })).toBe(false);
    expect(isFound(terms, { words: ['tampa'] })).toBe(true);
    for (const secret of ['secret', '33601']) expect(isFound(terms, { words: [secret] }), secret).toBe(false);
  });

  it('adds nothing to the index of the public search before it is public', () => {
    const found = given(resourceSearch, ...steps([pantry.submitted({ fields })])).get(pantry.svc_id);
    expect([found?.terms, found?.vocabulary]).toEqual([undefined, undefined]);
  });
});

describe('the words of a lookup', () => {
  const record = { name: 'Straße 東京 İz Neighbourhood', city: null, address: null, phone: '+1 3055550100' };
  const terms = new Set(lookupTerms(team, record));
  const finds = (word: string) => isFound(terms, { words: [word] });

  it('find a record by the beginning of each word, in any writing', () => {
    for (const word of [
      'stra',
      'strasse',
      'straße',
      '東',
      '東京',
      'iz',
      'neighbourh',
      '305555',
      '3055550100',
    ])
      expect(hasWords(record, [word]), word).toBe(finds(word));
    expect(hasWords(record, ['neighbourh', '東', '30555'])).toBe(true);
  });

  it('are compared with the record where the index has their first letters alone', () => {
    expect([finds('neighbours'), hasWords(record, ['neighbours'])]).toEqual([true, false]);
    expect([finds('neigx'), hasWords(record, ['neigx'])]).toEqual([false, false]);
  });

  it('make as many terms at most as are allowed, whatever a record contains', () => {
    const phones = Array.from({ length: 20_000 }, (_, n) => ({ number: `305555${n}` }));
    const name = Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' ');
    expect(lookupTerms(team, { ...record, name, phones }).length).toBeLessThanOrEqual(2 * 200 * 12 + 1);
    expect(hasWords({ ...record, name, phones }, ['word4999'])).toBe(false);
  });
});
