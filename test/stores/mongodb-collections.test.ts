import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const sources = readdirSync('src/stores', { recursive: true, withFileTypes: true })
  .filter((each) => each.isFile() && each.name.endsWith('.ts'))
  .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  .join('');

/** The names of collections in the code, but those of read models and side tables, which are made of parts. */
const used = new Set([
  ...[...sources.matchAll(/\.collection(?:<[^()]*>)?\('([\w.-]+)'/g)].map(([, name = '']) => name),
  // Those of the first proof log; those of later ones end with their number.
  ...[...sources.matchAll(/\.collection\(`(proof\.\w+)\$\{suffix\}`/g)].map(([, name = '']) => name),
  ...[...sources.matchAll(/endedName = '([\w.]+)'/g)].map(([, name = '']) => name),
]);

it('docs/more-machines.md names every collection in MongoDB, and none that is gone: a dump must have them', () => {
  const [, section = ''] = readFileSync('docs/more-machines.md', 'utf8').split(
    'In MongoDB, in the database that the address names:',
  );
  const rows = section.trimStart().split('\n\n', 1)[0]?.split('\n').slice(2) ?? [];
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const single = named.filter((name) => !name.includes('<') && !name.startsWith('side.'));
  expect(used).toContain('vault');
  expect(single.toSorted()).toEqual([...used].toSorted());
  // Made of parts in the code.
  expect(sources).toContain('.collection(`side.${name}`)');
  expect(named.filter((name) => name.includes('<'))).toEqual([
    '<read model>.<generation>',
    '<read model>.<generation>.vocabulary',
    'proof.*.<n>',
    'side.<table>',
  ]);
});
