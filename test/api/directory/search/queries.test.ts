import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categories } from '../../../../src/events/directory/category.ts';
import { exampleQueries } from './example-queries.ts';
import { miamiQueries } from './miami-queries.ts';
import { queriesOf } from './query-list.ts';
import {
  answersTo,
  expectedShare,
  namesIn,
  reportOf,
  searchedDirectory,
  shareAnswered,
  type SearchedDirectory,
} from './searched-directory.ts';

const searchData = process.env['SEARCH_DATA'];

const lists = [
  {
    title: 'the example directory',
    folder: fileURLToPath(new URL('../../../../examples/directory', import.meta.url)),
    list: exampleQueries,
    names: 'example-names.json',
  },
  {
    title:
      searchData === undefined ? 'the Miami sample (skipped: SEARCH_DATA is not set)' : 'the Miami sample',
    folder: searchData,
    list: miamiQueries,
    names: 'miami-names.json',
  },
];

for (const { title, folder, list, names } of lists)
  describe.skipIf(folder === undefined)(`searches in ${title}`, () => {
    let directory: SearchedDirectory;
    beforeAll(async () => {
      directory = await searchedDirectory(folder ?? '');
    }, 120_000);
    afterAll(() => directory[Symbol.asyncDispose]());

    const accepted = new Set(queriesOf(list).flatMap((query) => query.accepted));

    it('are judged by services that are still there under their names', () => {
      const judged = namesIn(names);
      expect(new Set(judged.keys())).toEqual(accepted);
      expect(directory.names).toEqual(new Map([...directory.names, ...judged]));
    });

    it('ask for services of every category', () => {
      const asked = [...accepted].flatMap((id) => directory.categories.get(id) ?? []);
      expect(new Set(asked)).toEqual(new Set(categories));
    });

    it(`answer ${expectedShare * 100} % of what people ask among the first five`, async () => {
      const answers = await answersTo(list, directory);
      console.log(reportOf(title, answers, directory));
      expect(shareAnswered(answers)).toBeGreaterThanOrEqual(expectedShare);
    });
  });
