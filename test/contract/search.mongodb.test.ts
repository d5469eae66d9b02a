import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { exampleQueries } from '../api/directory/search/example-queries.ts';
import { miamiQueries } from '../api/directory/search/miami-queries.ts';
import { answersTo, searchedDirectory } from '../api/directory/search/searched-directory.ts';
import { mongodbUrl, testDatabase, withoutMongodb } from '../support/mongodb.ts';

const searchData = process.env['SEARCH_DATA'];
const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));
const lists = [
  { title: 'the example directory', folder: example, list: exampleQueries },
  {
    title:
      searchData === undefined ? 'the Miami sample (skipped: SEARCH_DATA is not set)' : 'the Miami sample',
    folder: searchData,
    list: miamiQueries,
  },
];

describe.skipIf(mongodbUrl === undefined)(`a search on MongoDB${withoutMongodb}`, () => {
  for (const { title, folder = '', list } of lists)
    it.skipIf(folder === '')(
      `answers the same first five in the same order as embedded, in ${title}`,
      async () => {
        const database = testDatabase(mongodbUrl ?? '');
        try {
          await using embedded = await searchedDirectory(folder);
          const server = { MONGODB_URL: database.url, MASTER_KEY: randomBytes(32).toString('base64') };
          await using onMongodb = await searchedDirectory(folder, server);
          expect(await answersTo(list, onMongodb)).toEqual(await answersTo(list, embedded));
        } finally {
          await database.dispose();
        }
      },
      300_000,
    );
});
