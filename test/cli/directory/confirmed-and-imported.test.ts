import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const data = join(folder.path, 'data');

interface Pantry {
  readonly id: string;
  readonly phone: string;
  readonly description?: string;
  readonly modified?: string;
}

function month(name: string, pantries: readonly Pantry[]): string {
  const at = join(folder.path, name);
  mkdirSync(at, { recursive: true });
  const table = (file: string, head: string, rows: readonly string[]) => {
    writeFileSync(join(at, file), `${[head, ...rows].join('\n')}\n`);
  };
  writeFileSync(join(at, 'datapackage.json'), JSON.stringify({ name: 'county' }));
  table(
    'services.csv',
    'id,name,description,last_modified',
    pantries.map(({ id, description = '', modified = '' }) =>
      [id, `Pantry ${id}`, description, modified].join(),
    ),
  );
  table(
    'phones.csv',
    'id,service_id,number',
    pantries.map(({ id, phone }) => [`p${id}`, id, phone].join()),
  );
  return at;
}

interface Listed {
  readonly svc_id: string;
  readonly name: string;
  readonly confirmed?: Readonly<Record<string, unknown>>;
}
const records = async (): Promise<ReadonlyMap<string, Listed>> =>
  new Map(
    ((await runCommand(data, 'resources', 'list')) as Listed[]).map((each) => [each.name.slice(-1), each]),
  );
const confirmedOf = async (id: string) => (await records()).get(id)?.confirmed;

test('a confirmation of a phone number ends when an import changes the number, and only then', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const first = ['a', 'b', 'c', 'd'].map((id) => ({ id, phone: `305-555-010${id.charCodeAt(0) - 97}` }));
  await runCommand(data, 'import', month('one', first), '--approve');
  const ids = await records();
  const confirm = (id: string, ...parts: string[]) =>
    runCommand(data, 'resources', 'confirm', ids.get(id)?.svc_id ?? '', ...parts);
  await confirm('a');
  await confirm('b');
  await confirm('c', '--parts', 'phones,hours');

  const second = first.map((each) =>
    each.id === 'b' ? { ...each, description: 'Food.' } : { ...each, phone: '305-555-0199' },
  );
  await runCommand(data, 'import', month('two', second));
  const byTeam = { on: today, by: 'team' };
  const changed = { by: 'source', changed: today };
  expect(await confirmedOf('a'), 'the rest of it stays').toEqual({ ...byTeam, phones: changed });
  expect(await confirmedOf('b'), 'its number is the confirmed one').toEqual(byTeam);
  expect(await confirmedOf('c'), 'its hours alone').toEqual({ hours: byTeam });
  expect(await confirmedOf('d'), 'nobody had confirmed it').toBeUndefined();

  await confirm('a', '--parts', 'phones');
  expect(await confirmedOf('a'), 'the new number').toEqual(byTeam);

  // The source gives a date with what it changes.
  const third = second.map((each) =>
    each.id === 'a' ? { ...each, phone: '305-555-0200', modified: '2026-05-01' } : each,
  );
  await runCommand(data, 'import', month('three', third));
  expect(await confirmedOf('a')).toEqual({ ...byTeam, phones: { ...changed, on: '2026-05-01' } });
  await confirm('a');
  expect(await confirmedOf('a')).toEqual(byTeam);
});
