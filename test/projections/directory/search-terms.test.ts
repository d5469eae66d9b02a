import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImpersonalFields } from '../../../src/events/directory/resource-fields.ts';
import { publicFields } from '../../../src/projections/directory/shown-fields.ts';
import { termsOf } from '../../../src/projections/directory/search-terms.ts';

const clinic: ImpersonalFields = {
  name: 'Women’s Clinics of the Bay',
  alternate_name: 'Clínica de la Bahía',
  organization: { name: 'St. Mark Health, Inc.' },
  category: 'health',
  categories: ['mental'],
  description: 'Checkups for children and families.',
  eligibility: 'Residents without insurance',
  how_to_apply: 'Call ahead',
  cost: 'Sliding scale',
  documents: ['Photo identification'],
  service_area: ['Quay County'],
  alert: 'Closed for renovation',
  free: true,
  languages: ['Spanish', 'Kreyòl', 'Klingon'],
  locations: [
    {
      name: 'North Annex',
      street: '12 Dock Street',
      city: 'Miami Beach',
      region: 'FL',
      postal_code: '33139-1234',
      latitude: 25.7906543219,
      longitude: -80.1300456789,
      phones: [{ number: '1-305-555-0142', extension: '7' }],
    },
  ],
  phones: [{ number: '(305) 555-0100 ext. 12' }, { number: '988' }],
};

const termsIn = (fields: ImpersonalFields): string[] => termsOf(fields).terms.split(' ');
const tagged = (tag: string, fields: ImpersonalFields = clinic) =>
  termsIn(fields)
    .filter((term) => term.startsWith(tag))
    .map((term) => term.slice(1));
const vocabularyOf = (fields: ImpersonalFields) => termsOf(fields).vocabulary.split(' ');

describe('the terms of a record', () => {
  it('are its names, and each two neighbouring words of them written together', () => {
    const stems = ['woman', 'clinic', 'bay', 'bahi', 'st', 'mark', 'health', 'inc'];
    const pairs = ['womensclinic', 'clinicsbay', 'clinicabahi', 'stmark', 'markhealth', 'healthinc'];
    expect(tagged('n').sort()).toEqual([...stems, ...pairs].sort());
  });

  it('are its names as a whole, and its organization', () => {
    expect(tagged('e')).toEqual(['womanclinicbay', 'clinicbahi', 'stmarkhealthinc']);
    expect(tagged('o')).toEqual(['stmarkhealthinc']);
  });

  it('are the words of its categories in English and Spanish', () => {
    expect(tagged('c')).toEqual(expect.arrayContaining(['health', 'salud', 'mental', 'mentalhealth']));
    expect(tagged('k')).toEqual(['health', 'mental']);
  });

  it('are those of its places and languages, with the names of states', () => {
    expect(tagged('p')).toEqual(
      expect.arrayContaining([
        ...['north', 'annex', 'northannex', '12', 'dock', 'street', 'miami', 'beach', 'miamibeach', 'fl'],
        ...['florid', '33139', 'quay', 'counti', 'spanish', 'espanol', 'haitian', 'kreyol', 'klingon'],
      ]),
    );
    expect(tagged('y')).toEqual(['miamibeach']);
    expect(tagged('z')).toEqual(['33139']);
    expect(tagged('l')).toEqual(['es', 'ht', 'klingon']);
  });

  it('are those of its other texts', () => {
    expect(tagged('d')).toEqual(
      expect.arrayContaining([
        ...[
          'checkup',
          'child',
          'famili',
          'resident',
          'insuranc',
          'cal',
          'slid',
          'identification',
          'renovation',
        ],
      ]),
    );
    expect(tagged('d')).not.toContain('for');
  });

  it('are its phone numbers, with and without the area code', () => {
    expect(tagged('t')).toEqual(['3055550100', '5550100', '988', '3055550142', '5550142']);
  });

  it('are the cells of its places, and that it is free', () => {
    expect(tagged('g')).toHaveLength(8);
    expect(tagged('f')).toEqual(['1']);
    expect(tagged('f', { ...clinic, free: false })).toEqual([]);
    expect(tagged('g', { ...clinic, locations: [{ city: 'Miami' }] })).toEqual([]);
  });

  it('are nothing of a confidential place but what the public may know', () => {
    const [place = {}] = clinic.locations ?? [];
    const hidden = publicFields({ ...clinic, locations: [{ ...place, confidential: true }] });
    for (const tag of ['g', 'z']) expect(tagged(tag, hidden)).toEqual([]);
    for (const word of ['dock', '33139', '12']) expect(tagged('p', hidden)).not.toContain(word);
    expect(tagged('t', hidden)).toEqual(['3055550100', '5550100', '988']);
    expect(vocabularyOf(hidden)).not.toContain('2dock');
    expect(tagged('y', hidden)).toEqual(['miamibeach']);
  });

  it('are found by what people write otherwise: the whole name as it is shown', () => {
    const place: ImpersonalFields = {
      name: 'Miami',
      organization: { name: 'Harbour Army' },
      category: 'food',
      locations: [{ city: 'Miami' }],
    };
    expect(tagged('e', place)).toContain('miamiharbourarmi');
  });
});

describe('the vocabulary of a record', () => {
  it('has each word once with its best rank, and no numbers, short words and stop words', () => {
    const words = vocabularyOf(clinic);
    expect(words).toEqual(
      expect.arrayContaining(['0health', '0salud', '1womens', '1clinics', '2miami', '2florida', '3children']),
    );
    expect(words).not.toContain('1health');
    expect(words.filter((word) => /^\d\d+$/.test(word) || /^\d(st|for|the)$/.test(word))).toEqual([]);
    expect(new Set(words.map((word) => word.slice(1))).size).toBe(words.length);
  });
});

describe('the terms of any record', () => {
  const hostile: Record<string, ImpersonalFields> = {
    'a long description': { ...clinic, description: many((n) => `wort${n.toString(36)}`, 1_500) },
    'one word of 10,000 letters': { ...clinic, description: 'x'.repeat(10_000) },
    'the same letter': { ...clinic, description: 'a '.repeat(5_000) },
    emoji: { ...clinic, name: '🍞🍲', description: '🍞 '.repeat(3_000), organization: { name: '…' } },
    'words of many letters for one': { ...clinic, description: 'ﷺ'.repeat(5_000) },
    '20,000 phones': {
      ...clinic,
      locations: Array.from({ length: 200 }, (_, n) => ({
        phones: Array.from({ length: 100 }, (_each, m) => ({ number: `305-${1_000_000 + n * 100 + m}` })),
      })),
    },
    'names of 100 languages': { ...clinic, languages: Array.from({ length: 100 }, (_, n) => `tongue ${n}`) },
  };

  it.each(Object.entries(hostile))('are bounded: %s', (_, fields) => {
    const terms = termsIn(fields);
    expect(terms.length).toBeLessThan(1_500);
    expect(new Set(terms).size).toBe(terms.length);
    for (const term of terms) expect(term).toMatch(/^[\p{Ll}\p{Lo}\p{N}]{1,100}$/u);
    for (const word of vocabularyOf(fields)) expect(word.length).toBeLessThanOrEqual(41);
    expect(terms).toContain('khealth');
  });

  it('are all of 200 places, and their words after those of names and categories', () => {
    const locations = Array.from({ length: 200 }, (_, n) => ({
      name: many((m) => `hall${n}x${m}`, 20),
      city: `Town ${n}`,
      postal_code: String(10_000 + n),
      latitude: 25 + n / 10,
      longitude: -80 - n / 10,
    }));
    const fields = { ...clinic, locations, description: many((n) => `wort${n.toString(36)}`, 1_500) };
    expect(tagged('y', fields)).toHaveLength(200);
    expect(tagged('z', fields)).toHaveLength(200);
    expect(termsIn(fields).filter((term) => term.startsWith('g0'))).toHaveLength(200);
    expect(tagged('n', fields)).toEqual(tagged('n'));
    expect(tagged('p', fields)).toHaveLength(400);
    expect(tagged('d', fields)).toHaveLength(600);
  });

  it('have the part of a town in full that a street names', () => {
    const termsOn = (street: string) =>
      termsOf({ name: 'Clinic', category: 'health', locations: [{ street }] }).terms.split(' ');
    expect(termsOn('1220 12th Street, SE')).toContain('psoutheast');
    expect(termsOn('1220 12th Street N.W.')).toContain('pnorthwest');
    expect(termsOn('1220 Sea Street')).not.toContain('psoutheast');
  });

  it('stay the same when more words have passed than are remembered', () => {
    const before = termsOf(clinic);
    for (let n = 0; n < 30; n++) {
      termsOf({ ...clinic, description: many((m) => `wort${n.toString(36)}x${m.toString(36)}`, 600) });
    }
    expect(termsOf(clinic)).toEqual(before);
  });

  it('are the same for the same record, and can be stored', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(text, text, text, (name, description, city) => {
        const fields: ImpersonalFields = { name, description, category: 'food', locations: [{ city }] };
        const { terms, vocabulary } = termsOf(fields);
        expect(termsOf(fields)).toEqual({ terms, vocabulary });
        expect(terms.isWellFormed() && vocabulary.isWellFormed()).toBe(true);
        for (const term of terms.split(' ')) expect(term).toBe(term.toLowerCase());
      }),
    );
  });
});

function many(word: (n: number) => string, count: number): string {
  return Array.from({ length: count }, (_, n) => word(n)).join(' ');
}
