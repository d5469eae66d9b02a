import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cell, listCell, rowsIn } from '../../src/tables/read-table.ts';

const columns = { word: cell, also: listCell, note: z.string() };
const read = (...lines: string[]) => rowsIn('words.tsv', `${lines.join('\n')}\n`, columns, ['word']);

describe('a table', () => {
  it('is read by its columns, without remarks and empty lines', () => {
    expect(
      read('# Words', 'word\talso\tnote', 'food\tmeals, groceries\tyes', '', '# More', 'rent\tlease\t'),
    ).toEqual([
      { word: 'food', also: ['meals', 'groceries'], note: 'yes' },
      { word: 'rent', also: ['lease'], note: '' },
    ]);
  });

  it('may be written by an editor that ends lines as Windows does, marks the file or drops tabs at the end', () => {
    expect(rowsIn('words.tsv', '\ufeffword\talso\tnote\r\nfood\tmeals\r\n', columns, ['word'])).toEqual([
      { word: 'food', also: ['meals'], note: '' },
    ]);
  });

  it.each([
    [['word\tnote'], 'src/tables/words.tsv:1: the columns must be word, also, note; found word, note'],
    [[], 'src/tables/words.tsv:1: the columns must be word, also, note; found no line'],
    [['# Words', 'word\talso\tnote', '\tmeals\t'], 'src/tables/words.tsv:3: word: must not be empty'],
    [
      ['word\talso\tnote', 'food\tmeals, , x\t'],
      'src/tables/words.tsv:2: also: has a comma with nothing before or after it',
    ],
    [['word\talso\tnote', 'food\tmeals, meals\t'], 'src/tables/words.tsv:2: also: says something twice'],
    [['word\talso\tnote', 'food\tmeals\ta\tb'], 'src/tables/words.tsv:2: has 4 cells for 3 columns'],
    [['word\talso\tnote', 'food\tmeals', 'food\tsoup'], 'src/tables/words.tsv:3: word as in line 2'],
    [['word\talso\tnote', '"food"\tmeals'], 'src/tables/words.tsv:2: word: write it without quotes'],
  ])('says in which line it does not fit: %j', (lines, message) => {
    expect(() => read(...lines)).toThrow(message);
  });
});
