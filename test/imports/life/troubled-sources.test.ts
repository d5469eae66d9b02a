import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { chanceOf } from '../../faults/seeded-random.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { engineSettings } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { svcIdsIn, writeFiles } from './commanded-directory.ts';
import { filesOf, saidWith, SourceLife, type Publication, type SourceRecord } from './source-life.ts';
import { StoredDirectory } from './stored-directory.ts';

const source = new SourceLife(chanceOf(8), 20).published();

/** A directory into which the first month was imported, and what is said of the next. */
async function afterTheFirstMonth() {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const run = (...words: readonly string[]) => runCommandLine(words, dataDir);
  await run('teams', 'create', 'harbour', '--name', 'Harbour');
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir) }));
  onTestFinished(async () => {
    await system.close();
    folder.remove();
  });
  const imported = (published: Publication, ...words: readonly string[]) => {
    const path = writeFiles(join(folder.path, 'published'), filesOf(published));
    return run('import', path, '--team', 'harbour', '--source', 'County', '--approve', '--json', ...words);
  };
  const first = await imported(source);
  expect([first.code, first.stderr]).toEqual([0, '']);
  const standing = async () => {
    const directory = new StoredDirectory(system);
    directory.know(await svcIdsIn(system.store));
    return directory.standing();
  };
  return { run, imported, standing, svcIds: () => svcIdsIn(system.store), head: () => system.store.head() };
}

const without = (count: number): Publication => new Map([...source].slice(count));

it('a source of which more than a fifth is gone is not imported, and nothing has changed', async () => {
  const { imported, standing, head } = await afterTheFirstMonth();
  const [before, at] = [await standing(), await head()];
  const cut = await imported(without(5), '--remove-missing');
  expect([cut.code, cut.stdout]).toEqual([1, '']);
  expect(cut.stderr).toMatch(/more than a fifth/);
  expect(await standing()).toEqual(before);
  expect(await head()).toBe(at);
  const any = await imported(without(5), '--remove-missing', 'any');
  expect(any.code).toBe(0);
  const out = [...(await standing())].filter(([, { status }]) => status === 'inactive').map(([id]) => id);
  expect(out.sort()).toEqual([...source.keys()].slice(0, 5).sort());
});

it('a row that cannot be used is named, and its record stays public: it is not missing', async () => {
  const { imported, standing } = await afterTheFirstMonth();
  const before = await standing();
  const [id = ''] = source.keys();
  const nameless = new Map(source).set(id, {
    said: saidWith(source.get(id)?.said ?? { name: '' }, 'name', ''),
    active: true,
  });
  const { stdout } = await imported(nameless, '--remove-missing');
  expect(JSON.parse(stdout)).toMatchObject({ missing: 0, deactivated: 0, unchanged: source.size - 1 });
  expect(await standing()).toEqual(before);
});

it('two ids that a source swaps stay the ids of their records, which say what the source says now', async () => {
  const { imported, standing, svcIds } = await afterTheFirstMonth();
  const before = await svcIds();
  const [[one, first], [other, second]] = [...source] as [[string, SourceRecord], [string, SourceRecord]];
  const { code, stdout } = await imported(new Map(source).set(one, second).set(other, first));
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ new: 0, revised: 2, conflicts: 0, missing: 0 });
  expect(await svcIds()).toEqual(before);
  expect((await standing()).get(one)?.mine.name).toBe(second.said.name);
});

it('an undone import is in the log with its reverse, is undone once, and comes back with the same ids', async () => {
  const { run, imported, standing, svcIds, head } = await afterTheFirstMonth();
  const [before, ids] = [await standing(), await svcIds()];
  const [[id, { said }]] = [...source] as [[string, SourceRecord]];
  const changed = new Map(source).set(id, { said: { ...said, alert: 'Closed on Friday.' }, active: true });
  const { stdout } = await imported(changed);
  const report = JSON.parse(stdout) as { readonly import: string };
  const at = await head();
  const undo = ['imports', 'undo', report.import, '--team', 'harbour', '--json'];
  expect(JSON.parse((await run(...undo)).stdout)).toMatchObject({
    taken_out: 0,
    revised: 1,
    returned: 0,
    left: 0,
  });
  expect(await standing()).toEqual(before);
  expect(await head()).toBeGreaterThan(at);
  const undone = await head();
  const again = await run(...undo);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The import is undone already.')]);
  expect(await head()).toBe(undone);
  expect(JSON.parse((await imported(changed)).stdout)).toMatchObject({ new: 0, revised: 1 });
  expect((await standing()).get(id)?.mine['alert']).toBe('Closed on Friday.');
  expect(await svcIds()).toEqual(ids);
});
