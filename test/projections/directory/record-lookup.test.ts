import { describe, expect, it } from 'vitest';
import type { ResourceEvent } from '../../../src/events/directory/resource.ts';
import {
  lookupQueries,
  lookupTerms,
  sortKey,
  type LookupQueries,
} from '../../../src/projections/directory/lookup-terms.ts';
import { orgIdOf, svcIdOf } from '../../../src/events/ids.ts';
import type { TermQuery } from '../../../src/stores/documents/port.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
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
  // Exactly one of those that are asked in turn finds what the one for all finds.
  expectSame(terms, lookupQueries({ team, ...asked }));

function expectSame(terms: ReadonlySet<string>, queries: LookupQueries | undefined): boolean {
  const isFoundBy = ({ every, except = [] }: TermQuery) => {
    const fits = (groups: typeof every) => groups.every((group) => group.some((each) => terms.has(each)));
    return fits(every) && !except.some(fits);
  };
  const found = queries !== undefined && isFoundBy(queries.all);
  expect((queries?.inTurn ?? []).filter(isFoundBy)).toHaveLength(found ? 1 : 0);
  return found;
}

describe('the entry of a record in the lookup of its team', () => {
  it('is found by its words in any status, and says its present status, its source and when it changed', () => {
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
      const events = story.slice(0, n + 1);
      const folded = given(recordLookup, ...steps(events)).get(pantry.svc_id);
      expect(isFound(termsAfter(...events), { words: 'pantry' })).toBe(true);
      const shown = given(resources, ...steps(events)).get(pantry.svc_id);
      expect([folded?.status, folded?.updated_at]).toEqual([status, shown?.updated_at]);
    }
  });

  it('has the columns of the newest revision', () => {
    const folded = (...events: ResourceEvent[]) => {
      const doc = given(recordLookup, ...steps(events)).get(pantry.svc_id);
      return doc && [doc.organization, doc.name, doc.place, doc.category, doc.verified, doc.source];
    };
    const named = { ...fields, name: 'Ärzte, 24 h', organization: { name: "St. Mary's" } } as const;
    expect(folded(pantry.submitted({ fields: named }))).toEqual([
      'st mary s',
      'arzte 24 h',
      'tampa',
      'food',
      '',
      '',
    ]);
    const later = { name: 'Larder', category: 'legal', last_verified: '2026-02-03' } as const;
    expect(folded(pantry.submitted({ fields: named }), pantry.revised(later))).toEqual([
      sortKey(undefined),
      'larder',
      sortKey(null),
      'legal',
      '2026-02-03',
      '',
    ]);
  });

  it('has the words of the newest revision', () => {
    const terms = termsAfter(pantry.submitted({ fields }), pantry.revised({ ...fields, name: 'Larder' }));
    expect(isFound(terms, { words: 'larder' })).toBe(true);
    expect(isFound(terms, { words: 'pantry' })).toBe(false);
  });

  it('is no entry of another team, and has nothing that is confidential', () => {
    const terms = termsAfter(pantry.submitted({ fields }));
    expect(isFound(terms, { words: 'pantry', team: 'another' })).toBe(false);
    expect(isFound(terms, { words: 'tampa' })).toBe(true);
    for (const secret of ['secret', '33601']) expect(isFound(terms, { words: secret }), secret).toBe(false);
  });

  it('adds nothing to the index of the public search before it is public', () => {
    const found = given(resourceSearch, ...steps([pantry.submitted({ fields })])).get(pantry.svc_id);
    expect([found?.terms, found?.vocabulary]).toEqual([undefined, undefined]);
  });
});

describe('the words of a lookup', () => {
  const record = { name: 'Straße 東京 İz Neighbourhood', city: null, address: null, phone: '+1 3055550100' };
  const terms = new Set(lookupTerms(team, 1, record));
  const finds = (word: string) => isFound(terms, { words: word });

  it('find a record by the beginning of each word, in any writing', () => {
    for (const word of ['stra', 'straße', '東', '東京', 'iz', 'neighbourh', '305555', '3055550100'])
      expect(finds(word), word).toBe(true);
    expect(finds('neighbourh 東 30555')).toBe(true);
    expect(finds('neighbours')).toBe(false);
  });

  it('are cut where they are very long, in the record and in what is asked', () => {
    const long = new Set(lookupTerms(team, 1, { ...record, name: `${'a'.repeat(15)}bc` }));
    expect(isFound(long, { words: `${'a'.repeat(15)}bc` })).toBe(true);
    expect(isFound(long, { words: `${'a'.repeat(14)}b` })).toBe(false);
  });

  it('may be the id of a record, and an organization is found by its id or its whole name', () => {
    const organization = { id: orgIdOf(7), name: 'Food  for All' };
    const own = new Set(lookupTerms(team, 12, { ...record, organization }));
    expect([isFound(own, { words: ` ${svcIdOf(12)} ` }), isFound(own, { words: svcIdOf(13) })]).toEqual([
      true,
      false,
    ]);
    for (const each of [organization.id, 'food for all'])
      expect(isFound(own, { organization: each }), each).toBe(true);
    for (const each of [orgIdOf(8), 'food for', 'all for food'])
      expect(isFound(own, { organization: each }), each).toBe(false);
    expect(isFound(own, { organization: 'food for all', words: 'shelter' })).toBe(false);
    expect(lookupQueries({ team, words: '??' })).toBeUndefined();
  });

  it('make as many terms at most as are allowed, whatever a record contains', () => {
    const phones = Array.from({ length: 20_000 }, (_, n) => ({ number: `305555${n}` }));
    const name = Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' ');
    expect(lookupTerms(team, 1, { ...record, name, phones }).length).toBeLessThanOrEqual(2 * 200 * 15 + 4);
  });
});
