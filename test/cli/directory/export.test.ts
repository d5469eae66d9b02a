import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillWhole, whole, writeWhole } from '../../../src/cli/target.ts';
import type { HsdsService } from '../../../src/hsds/export/service.ts';
import { problemsBy } from '../../hsds/published-schemas.ts';
import { folderOf, version1, version3, zipOf } from '../../hsds/support.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const data = temporaryFolder();
const out = temporaryFolder();
const at = (name: string): string => join(out.path, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

const shelter = {
  street: '9 Hidden Lane',
  city: 'Miami',
  latitude: 25.9,
  longitude: -80.1,
  confidential: true,
};
const pantry = {
  street: '1 Quay',
  city: 'Miami',
  latitude: 25.7,
  longitude: -80.2,
  phones: [{ number: '+1 305 555 0100' }],
};

beforeAll(async () => {
  await runCommand(data.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  const submit = async (team: string, ...words: readonly string[]) =>
    (await runCommand(data.path, 'resources', 'submit', '--team', team, ...words)) as { svc_id: string };
  const soup = await submit(
    'harbour',
    ...['--name', 'SOUP KITCHEN', '--category', 'food', '--email', 'cook@example.org'],
    ...['--description', '＝HYPERLINK("http://example.org")', '--locations', JSON.stringify([pantry])],
  );
  const beds = await submit(
    'commons',
    '--name',
    'Beds',
    '--category',
    'housing',
    '--locations',
    JSON.stringify([shelter]),
  );
  await submit('harbour', '--name', 'A draft', '--category', 'legal');
  await runCommand(data.path, 'resources', 'approve', soup.svc_id, beds.svc_id);
});
afterAll(() => {
  data.remove();
  out.remove();
});

const run = (...words: readonly string[]) => runCommandLine(['export', ...words], data.path);
const exported = async (format: string, ...words: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await run('--format', format, ...words);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const services = async (...words: readonly string[]) =>
  JSON.parse(await exported('hsds-json', ...words)) as HsdsService[];
const names = (list: readonly HsdsService[]) => list.map(({ name }) => name).sort();

describe('export', () => {
  test('writes every record of all directories with its status, for the operator', async () => {
    const all = await services();
    expect(names(all)).toEqual(['A draft', 'Beds', 'SOUP KITCHEN']);
    expect(all.flatMap(problemsBy('service.json'))).toEqual([]);
    const soup = all.find(({ name }) => name === 'SOUP KITCHEN');
    expect(soup).toMatchObject({ email: 'cook@example.org', status: 'active' });
    expect(all.find(({ name }) => name === 'A draft')).toMatchObject({ status: 'inactive' });
    expect(JSON.stringify(all)).toContain('9 Hidden Lane');
    expect(names(await services('--team', 'harbour'))).toEqual(['A draft', 'SOUP KITCHEN']);
  });

  test('--public writes what everybody may see, with names as they are shown', async () => {
    const open = await services('--public');
    expect(names(open)).toEqual(['Beds', 'Soup Kitchen']);
    const text = JSON.stringify(open);
    for (const hidden of ['cook@example.org', '9 Hidden Lane', '"latitude":25.9', 'harbour'])
      expect(text).not.toContain(hidden);
    expect(names(await services('--public', '--team', 'harbour'))).toEqual(['Soup Kitchen']);
  });

  test('geojson has the places that are not confidential, for whomever', async () => {
    for (const words of [[], ['--public']]) {
      const { type, features } = JSON.parse(await exported('geojson', ...words)) as {
        type: string;
        features: { geometry: object; properties: object }[];
      };
      expect(type).toBe('FeatureCollection');
      expect(features.map(({ geometry }) => geometry)).toEqual([
        { type: 'Point', coordinates: [-80.2, 25.7] },
      ]);
      expect(features[0]?.properties).toMatchObject({
        city: 'Miami',
        phone: '+1 305 555 0100',
        category: 'food',
      });
    }
  });

  test('csv has a row for each record, in which no cell is a formula', async () => {
    const text = await exported('csv', '--public');
    const rows: Record<string, string>[] = parse(text, { columns: true });
    expect(rows).toHaveLength(2);
    const soup = rows.find(({ category }) => category === 'food');
    expect(soup).toMatchObject({
      name: 'Soup Kitchen',
      description: `'＝HYPERLINK("http://example.org")`,
      phone: "'+1 305 555 0100",
      city: 'Miami',
    });
    expect(Object.keys(soup ?? {})).not.toContain('email');
    expect(await exported('csv')).toContain('cook@example.org');
  });

  test('gives the same bytes for the same state, in every format', async () => {
    for (const [format, ending] of [
      ['hsds-json', '.json'],
      ['csv', '.csv'],
      ['geojson', '.geojson'],
      ['hsds-csv', '.zip'],
    ] as const) {
      for (const name of ['one', 'two']) await exported(format, '--out', at(name + ending));
      expect(readFileSync(at(`one${ending}`)).equals(readFileSync(at(`two${ending}`))), format).toBe(true);
    }
    for (const name of ['one', 'two']) await exported('hsds-csv', '--out', at(name));
    for (const file of readdirSync(at('one'))) expect(read(`one/${file}`)).toBe(read(`two/${file}`));
  });

  test('overwrites nothing', async () => {
    writeFileSync(at('mine.json'), 'mine');
    mkdirSync(at('mine'));
    for (const [format, name] of [
      ['hsds-json', 'mine.json'],
      ['hsds-csv', 'mine'],
    ] as const) {
      const { code, stderr } = await run('--format', format, '--out', at(name));
      expect(code).toBe(1);
      expect(stderr).toContain(`${at(name)} exists already.`);
    }
    expect(read('mine.json')).toBe('mine');
    expect(readdirSync(at('mine'))).toEqual([]);
  });

  test('refuses what it does not know', async () => {
    expect(await run('--format', 'xml')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('--format', 'hsds-csv')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('--format', 'csv', '--team', 'nobody')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('what was imported and exported, imported again,', () => {
  const example = fileURLToPath(new URL('../../../examples/directory', import.meta.url));

  test.each([
    ['of HSDS 1.1', () => folderOf(version1)],
    ['of HSDS 3', () => zipOf(version3)],
    ['of the example directory', () => Promise.resolve(example)],
  ])('changes nothing: %s', async (_, source) => {
    const folder = temporaryFolder();
    try {
      const imported = async (path: string) =>
        (await runCommand(folder.path, 'import', path, '--approve', '--source', 'partner')) as Report;
      const { services } = await imported(await source());
      const nothing = { services, new: 0, revised: 0, approved: 0, deactivated: 0, unchanged: services };
      const before = await runCommandLine(['export', '--format', 'hsds-json'], folder.path);
      for (const [format, name] of [
        ['hsds-csv', 'again'],
        ['hsds-csv', 'again.zip'],
        ['hsds-json', 'again.json'],
      ] as const) {
        const path = join(folder.path, name);
        await runCommand(folder.path, 'export', '--format', format, '--team', 'commons', '--out', path);
        expect(await imported(path)).toMatchObject({ ...nothing, problems: [], warnings: [] });
      }
      const after = await runCommandLine(['export', '--format', 'hsds-json'], folder.path);
      expect(after.stdout).toBe(before.stdout);
    } finally {
      folder.remove();
    }
  });
});

test('what was submitted here and exported is revised by the tables that come back, and not made anew', async () => {
  const path = at('operator');
  await exported('hsds-csv', '--team', 'harbour', '--out', path);
  const imported = async (...words: readonly string[]) =>
    runCommand(data.path, 'import', path, '--team', 'harbour', ...words);
  expect(await imported()).toMatchObject({ services: 2, new: 0, revised: 0, unchanged: 2 });
  const table = join(path, 'services.csv');
  writeFileSync(table, readFileSync(table, 'utf8').replace('SOUP KITCHEN', 'Soup and bread'));
  expect(await imported('--dry-run')).toMatchObject({ new: 0, revised: 1 });
  expect(await imported()).toMatchObject({ new: 0, revised: 1, unchanged: 1 });
  expect(names(await services('--team', 'harbour'))).toEqual(['A draft', 'Soup and bread']);
});

interface Report {
  readonly services: number;
}

test('what breaks off leaves nothing behind', async () => {
  async function* broken() {
    yield 'a'.repeat(1024 * 1024);
    await Promise.resolve();
    throw new Error('the store is gone');
  }
  const before = readdirSync(out.path);
  await expect(writeWhole(at('broken'), broken())).rejects.toThrow('the store is gone');
  const failing = async (part: string) => {
    writeFileSync(existsSync(part) ? join(part, 'services.csv') : part, 'id');
    await Promise.reject(new Error('the disk is full'));
  };
  await expect(fillWhole(at('broken'), failing)).rejects.toThrow('the disk is full');
  await expect(whole(at('broken'), failing)).rejects.toThrow('the disk is full');
  expect(readdirSync(out.path)).toEqual(before);
});

test('what is being written does not have its name yet', async () => {
  const seen: string[][] = [];
  async function* text() {
    yield 'a'.repeat(1024 * 1024);
    await Promise.resolve();
    seen.push(readdirSync(out.path).filter((name) => name.startsWith('slow')));
    yield 'b';
  }
  await writeWhole(at('slow'), text());
  expect(seen).toEqual([[`slow.part-${process.pid}`]]);
  expect(read('slow')).toHaveLength(1024 * 1024 + 1);
});
