import { openDatapackage } from '../../src/hsds/package.ts';
import { searchedDirectory } from '../../test/api/directory/search/searched-directory.ts';
import { typedOnes, type Half, type TypedOne } from '../../test/api/directory/search/typed/half.ts';
import { typedKinds } from '../../test/api/directory/search/typed/typed-queries.ts';
import { peersOver, type Peer } from './peers.ts';

/**
 * What people type, answered by this search and by others over the same records: success@5, for each half and kind. For
 * each folder of a datapackage that is named. Install the others first: `npm ci --prefix bench`.
 *
 *     node bench/judged/run.ts <folder of a datapackage> …
 */
const folders = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const withPeers = !process.argv.includes('--ours');
/** A Tuesday, 10:00 in New York. */
const now = () => new Date('2026-03-03T15:00:00Z');

interface Judged extends TypedOne {
  readonly accepted: ReadonlySet<string>;
}

for (const folder of folders) {
  const { name } = await openDatapackage(folder);
  await using directory = await searchedDirectory(folder, {}, now);
  const { records, names } = directory;
  const judged = typedOnes.map((one): Judged => ({
    ...one,
    accepted: new Set(records.filter(one.rule).map(({ id }) => id)),
  }));
  const asked = judged.filter(({ accepted }) => accepted.size > 0);
  console.log(
    `${name}: ${records.length} records, ${asked.length} queries (${judged.length - asked.length} have no record here)`,
  );
  const engines: Peer[] = [
    { name: 'Commonweal', firstFive: (text) => directory.firstFive(text) },
    ...(withPeers ? await peersOver(records) : []),
  ];
  const missed = new Map<string, string>();
  for (const half of ['tuned', 'unseen'] as const) {
    const counts = new Map<string, number[]>();
    const ofHalf = asked.filter((one) => one.half === half);
    for (const [column, engine] of engines.entries()) {
      for (const { kind, text, accepted } of ofHalf) {
        const firstFive = await engine.firstFive(text);
        const found = firstFive.some((id) => accepted.has(id));
        for (const row of [kind, 'together']) {
          const cells = counts.get(row) ?? engines.map(() => 0);
          cells[column] = (cells[column] ?? 0) + (found ? 1 : 0);
          counts.set(row, cells);
        }
        if (!found && column === 0 && half === 'tuned')
          missed.set(`${kind}: ${text}`, firstFive.map((id) => names.get(id) ?? id).join('; ') || 'nothing');
      }
    }
    print(half, engines, ofHalf, counts);
  }
  console.log('missed in the tuned half, with what came instead');
  for (const [query, instead] of missed) console.log(`  ${query}: ${instead}`);
}

function print(
  half: Half,
  engines: readonly Peer[],
  asked: readonly Judged[],
  counts: ReadonlyMap<string, readonly number[]>,
): void {
  console.log(
    `\nsuccess@5, ${half} half${''.padEnd(10)}${engines.map(({ name }) => name.padStart(14)).join('')}`,
  );
  for (const row of [...typedKinds, 'together']) {
    const of = asked.filter(({ kind }) => row === 'together' || kind === row).length;
    if (of === 0) continue;
    const cells = counts.get(row) ?? [];
    const shares = cells.map((count) => `${count} (${(count / of).toFixed(2)})`.padStart(14));
    console.log(`  ${row.padEnd(16)}${String(of).padStart(4)}${''.padEnd(8)}${shares.join('')}`);
  }
}
