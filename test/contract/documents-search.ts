import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Collection, CollectionSpec, Documents } from '../../src/stores/documents/port.ts';
import {
  aPlace,
  layouts,
  placesSpec,
  put,
  remove,
  servePlaces,
  type DocumentsUnderTest,
  type Place,
} from './places.ts';

const texts: readonly Partial<Place>[] = [
  { name: 'Food Pantry', about: 'Open Mondays 9-12, Suite 204B. No ID needed.' },
  { name: 'Clínica de Salud', about: '¿Necesita atención? Habla con la señora Núñez.' },
  { name: 'Trung tâm y tế', about: 'Hỗ trợ người Việt, tiếng Việt' },
  { name: 'مركز الصحة', about: 'خدمات مَجّانيّة للأُسرة ٢٤ ساعة' },
  { name: "Women's shelter (safe-house)", about: 'foodbank_north, C++, AT&T' },
  { name: 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ', about: '中文服務 日本語 ᦀᦱᦉᧁ' },
  { name: 'NEAR Foundation OR Trust AND Co', about: 'STRASSE straße İstanbul ﬁre x²' },
];

/** What is looked for, and the numbers of the texts above that must be found. */
const found: readonly (readonly [what: string, matching: readonly string[], numbers: readonly number[]])[] = [
  ['a whole word', ['pantry'], [0]],
  ['the beginning of a word', ['pan'], [0]],
  ['one letter', ['z'], []],
  ['no inside of a word', ['antry'], []],
  ['no word longer than the one that stands there', ['pantryx'], []],
  ['without case', ['FOOD'], [0, 4]],
  ['every one of the words, from whichever field', ['food', 'open'], [0]],
  ['nothing when one word is missing', ['food', 'closed'], []],
  ['words in any order', ['suite', 'food'], [0]],
  ['the same word twice as once', ['food', 'food'], [0, 4]],
  ['digits', ['204'], [0]],
  ['digits and letters of one word', ['204b'], [0]],
  ['numbers apart from what joins them', ['9', '12'], [0]],
  ['Spanish without its accents', ['clinica', 'atencion', 'nunez'], [1]],
  ['Spanish with its accents', ['Clínica', 'ATENCIÓN', 'señ'], [1]],
  ['Spanish past its punctuation', ['necesita'], [1]],
  ['accents put apart from their letters', ['cli\u0301nica'], [1]],
  ['Vietnamese without its marks', ['nguoi', 'viet'], [2]],
  ['Vietnamese with its marks', ['người', 'Việt', 'tế'], [2]],
  ['Arabic', ['الصحة'], [3]],
  ['the beginning of an Arabic word', ['الص'], [3]],
  ['Arabic without its vowel marks', ['مجانية', 'للاسرة'], [3]],
  ['Arabic digits', ['٢٤'], [3]],
  ['Cherokee', ['ᏣᎳ'], [5]],
  ['Chinese by the beginning of a run', ['中文'], [5]],
  ['Tai Lue, whose vowels are letters', ['ᦀᦱᦉᧁ'], [5]],
  ['a word with an apostrophe as two', ["women's"], [4]],
  ['a word with a hyphen as two', ['safe-house'], [4]],
  ['a part of a word with a hyphen', ['house'], [4]],
  ['a part of a word with an underscore', ['north'], [4]],
  ['several words given as one', ['food pantry'], [0]],
  ['letters joined by signs', ['at&t'], [4]],
  ['ligatures as their letters', ['fire'], [6]],
  ['superscripts as their digits', ['x2'], [6]],
  ['a capital with a dot as its letter', ['istanbul'], [6]],
  ['sharp s apart from double s', ['straße'], [6]],
  ['punctuation among words as if it were not there', ['food', '!!!', 'pantry'], [0]],
  ['nothing by punctuation alone', ['!!!'], []],
  ['nothing by an empty word', [''], []],
  ['nothing by marks alone', ['\u0301'], []],
  ['everything when no word is given', [], [0, 1, 2, 3, 4, 5, 6]],
];

const hostile: readonly (readonly [what: string, matching: readonly string[], numbers: readonly number[]])[] =
  [
    ['a quote', ['"'], []],
    ['a quoted word', ['"food"'], [0, 4]],
    ['an open quote', ['"food'], [0, 4]],
    ['an apostrophe', [`' OR 1=1 --`], []],
    ['an asterisk', ['*'], []],
    ['an asterisk before', ['*antry'], []],
    ['an asterisk behind', ['pan*'], [0]],
    ['NEAR as an operator', ['NEAR(food pantry)'], []],
    ['NEAR as a word', ['NEAR'], [6]],
    ['OR as a word', ['food', 'OR', 'clinica'], []],
    ['NOT as a word', ['food', 'NOT', 'pantry'], []],
    ['AND as a word', ['AND', 'OR', 'NEAR'], [6]],
    ['a column', ['words:food'], []],
    ['a column in braces', ['{words} : food'], []],
    ['a minus', ['-food'], [0, 4]],
    ['a caret', ['^food'], [0, 4]],
    ['a plus', ['food + pantry'], [0]],
    ['a regular expression', ['.*', 'f.*d', '[a-z]+'], []],
    ['an object', ['{"$gt":""}'], []],
    ['a backslash', ['\\'], []],
    ['a null character', ['food\u0000pantry'], [0]],
    ['a lone half of a character', ['\ud83c'], []],
    ['a very long word', ['x'.repeat(200_000)], []],
    ['very many words', Array.from({ length: 5_000 }, (_, n) => `w${n}`), []],
    ['very many times a word that is there', Array.from({ length: 5_000 }, () => 'food'), [0, 4]],
    ['very much punctuation', Array.from({ length: 5_000 }, () => '("*'), []],
  ];

/** Text search, exactly as `PageQuery.matching` says. */
export function documentSearchContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe.each(layouts)(`the documents contract, ${adapter}: search, $layout`, ({ clustered }) => {
    let under: DocumentsUnderTest;
    let documents: Documents;
    let spec: CollectionSpec<Place>;
    let places: Collection<Place>;

    beforeEach(async () => {
      under = await open();
      documents = under.documents;
      spec = placesSpec(`places${randomUUID().slice(0, 8)}`, clustered);
      places = documents.collection(spec);
    });
    afterEach(async () => {
      await under.dispose();
    });

    const search = async (matching: readonly string[]) =>
      (await places.page({ orderBy: ['number'], matching, limit: 99 })).map((place) => place.number);

    it.each(found)('finds %s', async (_what, matching, numbers) => {
      await servePlaces(
        documents,
        spec,
        texts.map((text, number) => aPlace(number, text)),
      );
      expect(await search(matching)).toEqual(numbers);
      expect(await places.count({ matching })).toBe(numbers.length);
      expect(await places.count({ matching, atMost: 1 })).toBe(Math.min(1, numbers.length));
    });

    it.each(hostile)('takes %s for text and nothing else', async (_what, matching, numbers) => {
      await servePlaces(
        documents,
        spec,
        texts.map((text, number) => aPlace(number, text)),
      );
      expect(await search(matching)).toEqual(numbers);
      expect(await places.count({ matching })).toBe(numbers.length);
    });

    it('finds a document by what it says now, not by what it once said', async () => {
      const writer = await servePlaces(documents, spec, [aPlace(1, { name: 'Old name', about: 'constant' })]);
      await writer.write([put(aPlace(1, { name: 'New title', about: 'constant' }), 2n)], 2n);
      expect([await search(['old']), await search(['new', 'constant'])]).toEqual([[], [1]]);
      await writer.write([put(aPlace(1, { name: 'New title' }), 3n)], 3n);
      expect(await search(['constant'])).toEqual([]);
      await writer.write([remove(1, 4n)], 4n);
      expect([await search(['new']), await places.count({ matching: ['new'] })]).toEqual([[], 0]);
      await writer.write([put(aPlace(1, { name: 'Third sign' }), 5n)], 5n);
      expect([await search(['new']), await search(['third'])]).toEqual([[], [1]]);
    });

    it('looks in the search fields alone', async () => {
      await servePlaces(documents, spec, [aPlace(1, { city: 'Basel', phones: [{ number: '0041' }] })]);
      expect([await search(['basel']), await search(['0041']), await search(['place'])]).toEqual([
        [],
        [],
        [1],
      ]);
    });

    it('combines with equality, order, direction, place, skip and limit', async () => {
      const all = Array.from({ length: 20 }, (_, n) =>
        aPlace(n, { name: n % 2 ? 'Odd one' : 'Even one', city: n % 4 < 2 ? 'Bern' : 'Genf' }),
      );
      await servePlaces(documents, spec, all);
      const numbers = async (query: Partial<Parameters<typeof places.page>[0]>) =>
        (await places.page({ orderBy: ['number'], matching: ['odd'], limit: 99, ...query })).map(
          (place) => place.number,
        );
      expect(await numbers({ limit: 3 })).toEqual([1, 3, 5]);
      expect(await numbers({ after: [5], skip: 1, limit: 2 })).toEqual([9, 11]);
      expect(await numbers({ descending: true, from: 8, limit: 2 })).toEqual([7, 5]);
      expect(await numbers({ where: { city: 'Bern', rank: 1 } })).toEqual([1, 13]);
      expect(await places.count({ where: { city: 'Bern' }, matching: ['odd'] })).toBe(5);
      const rows = await places.select({ orderBy: ['number'], matching: ['even'], limit: 2 }, [
        'number',
        'name',
      ]);
      expect(rows.map((row) => ({ ...row }))).toStrictEqual([
        { number: 0, name: 'Even one' },
        { number: 2, name: 'Even one' },
      ]);
    });

    it('refuses to search a collection that declares nothing to search', async () => {
      const silent: CollectionSpec<Place> = {
        name: `${spec.name}silent`,
        fields: ['number'],
        indexes: [['number']],
      };
      await servePlaces(documents, silent, [aPlace(1)]);
      const collection = documents.collection(silent);
      const page = collection.page({ orderBy: ['number'], matching: ['place'], limit: 1 });
      await expect(page).rejects.toMatchObject({ code: 'misuse' });
      await expect(collection.count({ matching: ['place'] })).rejects.toMatchObject({ code: 'misuse' });
      expect(await collection.count({ matching: [] })).toBe(1);
    });
  });
}
