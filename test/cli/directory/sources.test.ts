import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { importResource } from '../../../src/commands/directory/import-record.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { aCommand } from '../../support/context.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

type Service = readonly [id: string | number, name: string];

/** A folder that holds a services.csv, and what its package calls itself. */
function datapackage(path: string, services: readonly Service[], name = 'human_services_data'): string {
  const at = join(folder.path, path);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'datapackage.json'), JSON.stringify({ name }));
  writeFileSync(join(at, 'services.csv'), `id,name\n${services.map((each) => each.join()).join('\n')}\n`);
  return at;
}

const numbered = (many: number, nameOf: (number: number) => string): Service[] =>
  Array.from({ length: many }, (_, place) => [place + 1, nameOf(place + 1)]);
const ofMiami = numbered(300, (number) => `Pantry of saint ${number}`);
const ofAustin = numbered(300, (number) => `Housing desk ${number} downtown`);

const idsIn = async (data: string): Promise<string[]> => {
  const { stdout } = await runCommandLine(['events', '--type', 'ResourceSubmitted', '--json'], data);
  const events = stdout.split('\n').filter((line) => line !== '');
  return events.map((line) => (JSON.parse(line) as { data: { svc_id: string } }).data.svc_id).sort();
};
const sourcesIn = (data: string) => runCommand(data, 'sources', 'list', '--team', 'commons');
const newData = (name: string) => join(folder.path, 'data', name);

describe('the source of an import', () => {
  test('is the one that the records knew before it had a name, and keeps its id and theirs when it is renamed', async () => {
    const data = newData('old');
    const system = await openSystem(readConfig({ DATA_DIR: data }));
    const { store, personal } = system;
    await commandTeam(store, { kind: 'create', team: 'commons', name: 'Commons' }, aCommand());
    for (const [id, name] of ofMiami.slice(0, 20))
      await importResource(
        { store, personal },
        {
          team: 'commons',
          source: { system: 'human_services_data', id: String(id) },
          fields: { name, category: 'food' },
          active: true,
          approve: true,
        },
        aCommand(),
      );
    await system.close();
    const before = await idsIn(data);
    const source = { team: 'commons', source: 'human_services_data' };
    expect(await sourcesIn(data)).toMatchObject([{ ...source, name: 'human_services_data' }]);

    const path = datapackage('miami', ofMiami);
    expect(await runCommand(data, 'import', path)).toMatchObject({
      new: 280,
      source: 'human_services_data',
    });
    await runCommand(data, 'sources', 'rename', '--team', 'commons', 'human_services_data', '211 Miami');
    expect(await sourcesIn(data)).toMatchObject([{ ...source, name: '211 Miami' }]);
    for (const said of [[], ['--source', '211 Miami'], ['--same-as', 'human_services_data']])
      expect(await runCommand(data, 'import', path, ...said)).toMatchObject({
        new: 0,
        source: 'human_services_data',
        source_name: '211 Miami',
      });
    const after = await idsIn(data);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).toHaveLength(300);
  });

  test('is asked for when two cities call their packages the same, and both stand side by side', async () => {
    const data = newData('cities');
    await runCommand(data, 'import', datapackage('first-city', ofMiami));
    const austin = datapackage('second-city', ofAustin);
    for (const more of [[], ['--dry-run'], ['--source', 'human_services_data']]) {
      const { code, stderr } = await runCommandLine(['import', austin, ...more], data);
      expect(code).toBe(1);
      expect(stderr).toContain('300 of 300 have the ids of records from human_services_data');
      expect(stderr).toContain('--same-as "human_services_data"');
      expect(stderr).toContain('--source "a name for the new source"');
    }
    expect(await idsIn(data)).toHaveLength(300);
    expect(await runCommand(data, 'import', austin, '--source', 'Austin')).toMatchObject({
      new: 300,
      source: 'Austin',
    });
    expect(await idsIn(data)).toHaveLength(600);
    // The next month: each file finds its own, or asks; none overwrites the other.
    expect(await runCommand(data, 'import', datapackage('first-city', ofMiami))).toMatchObject({
      unchanged: 300,
    });
    const { code, stderr } = await runCommandLine(['import', austin], data);
    expect({
      code,
      asks: stderr.includes('300 of 300 are here already from Austin. The same source?'),
    }).toEqual({ code: 1, asks: true });
    expect(await runCommand(data, 'import', austin, '--source', 'austin')).toMatchObject({ unchanged: 300 });
  });

  test('is asked for when a file has another name, so that nothing is doubled', async () => {
    const data = newData('renamed');
    await runCommand(data, 'import', datapackage('once', ofMiami), '--source', '211 Miami');
    const renamed = datapackage(
      'renamed',
      [
        ...ofMiami.slice(2),
        ...numbered(2, (n) => `New ${n}`).map(([n, name]) => [Number(n) + 900, name] as const),
      ],
      'export-2026-11',
    );
    const { code, stderr } = await runCommandLine(['import', renamed], data);
    expect(code).toBe(1);
    expect(stderr).toContain('298 of 300 are here already from 211 Miami. The same source?');
    expect(await idsIn(data)).toHaveLength(300);
    expect(await runCommand(data, 'import', renamed, '--same-as', '211 Miami')).toMatchObject({
      new: 2,
      unchanged: 298,
      source: '211 Miami',
    });
    expect(await runCommand(data, 'import', renamed, '--source', 'A copy')).toMatchObject({ new: 300 });
  });

  test('is asked for when no record of a file is here from the source of its name', async () => {
    const data = newData('strangers');
    await runCommand(data, 'import', datapackage('known', ofMiami));
    const strangers = datapackage(
      'strangers',
      ofAustin.map(([id, name]) => [`a-${id}`, name]),
    );
    const { code, stderr } = await runCommandLine(['import', strangers], data);
    expect(code).toBe(1);
    expect(stderr).toContain('None of the 300 services in the file is here from human_services_data');
    expect(await idsIn(data)).toHaveLength(300);
  });

  test('is not asked for when a month changes some names, in a first import, or for a known name of a new file', async () => {
    const data = newData('calm');
    expect(await runCommand(data, 'import', datapackage('calm', ofMiami))).toMatchObject({ new: 300 });
    const month = ofMiami.map(
      ([id, name], place) => [id, place % 3 === 0 ? `Quite another ${id}` : name.toUpperCase()] as const,
    );
    expect(await runCommand(data, 'import', datapackage('calm', month))).toMatchObject({ new: 0 });
    const other = datapackage(
      'calm-other',
      ofAustin.slice(0, 10).map(([id, name]) => [`a-${id}`, name]),
      'other',
    );
    expect(await runCommand(data, 'import', other)).toMatchObject({ new: 10, source: 'other' });
  });

  test('is refused when it is named twice, or by a name that the team does not have', async () => {
    const data = newData('refused');
    const path = datapackage('refused', ofMiami.slice(0, 3));
    const refused = async (...words: readonly string[]) => (await runCommandLine(words, data)).stderr;
    expect(await refused('import', path, '--source', 'one', '--same-as', 'two')).toContain(
      '--source and --same-as',
    );
    expect(await refused('import', path, '--same-as', '211 Miami')).toContain('The team has no source yet.');
    await runCommand(data, 'import', path, '--source', 'one');
    await runCommand(data, 'import', path, '--source', 'two');
    expect(await refused('import', path, '--same-as', '211 Miami')).toContain('It has: one, two.');
    expect(await refused('sources', 'rename', '--team', 'commons', 'one', 'Two')).toContain(
      'The team has a source two already.',
    );
  });
});
