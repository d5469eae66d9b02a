import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandResource } from '../../../src/commands/directory/resource.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { aCommand } from '../../support/context.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

interface Service {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly description?: string;
}

function month(name: string, services: readonly Service[]): string {
  const at = join(folder.path, name);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'datapackage.json'), JSON.stringify({ name: 'county' }));
  const rows = services.map(({ id, name: called, email = '', description = '' }) =>
    [id, called, email, description].join(),
  );
  writeFileSync(join(at, 'services.csv'), `id,name,email,description\n${rows.join('\n')}\n`);
  return at;
}

const services = Array.from({ length: 10 }, (_, place) => ({
  id: `s${place}`,
  name: `Service ${place}`,
  email: `desk${place}@example.org`,
}));

interface Report {
  readonly import: string;
  readonly conflict_records: readonly { readonly svc_id: string; readonly fields: readonly unknown[] }[];
}

async function correct(data: string, svcId: string, change: { readonly email: string }): Promise<void> {
  const system = await openSystem(readConfig({ DATA_DIR: data }));
  await commandResource(system, svcId, { kind: 'revise', change }, aCommand());
  await system.close();
}

interface Listed {
  readonly svc_id: string;
  readonly name: string;
  readonly status: string;
  readonly email?: string;
}
const listed = async (data: string): Promise<Listed[]> =>
  (await runCommand(data, 'resources', 'list', '--limit', '100')) as Listed[];

test('months are imported without fear: corrections stay, conflicts are named once, what is gone is taken out and comes back, and a month is undone', async () => {
  const data = join(folder.path, 'data');
  const first = (await runCommand(data, 'import', month('one', services), '--approve')) as Report;
  expect(first).toMatchObject({ new: 10, conflicts: 0, missing: 0 });
  const ids = new Map((await listed(data)).map(({ name, svc_id }) => [name, svc_id]));
  const [zero = '', one = ''] = ['Service 0', 'Service 1'].map((name) => ids.get(name));
  await correct(data, zero, { email: 'corrected@example.org' });
  await correct(data, one, { email: 'corrected@example.org' });

  // The source changes one of the two, and drops another record.
  const second = services
    .slice(0, 9)
    .map((each) => (each.id === 's1' ? { ...each, email: 'new@example.org' } : each));
  const path = month('two', second);
  const compared = await runCommand(data, 'import', path, '--dry-run');
  expect(compared).toMatchObject({
    conflicts: 1,
    missing: 1,
    missing_of: 10,
    missing_records: [{ source_id: 's9', name: 'Service 9' }],
    missing_removed: false,
    conflict_records: [
      {
        source_id: 's1',
        fields: [
          {
            field: 'email',
            before: 'desk1@example.org',
            theirs: 'new@example.org',
            mine: 'corrected@example.org',
            resolved: 'kept',
          },
        ],
      },
    ],
  });
  const { stdout } = await runCommandLine(['import', path, '--dry-run'], data);
  expect(stdout).toContain('new@example.org');
  expect(stdout).toContain('No longer in the source, 1 of 10.');
  const imported = (await runCommand(data, 'import', path, '--remove-missing')) as Report;
  expect(imported).toMatchObject({ conflicts: 1, deactivated: 1, missing_removed: true });
  expect(await runCommand(data, 'import', path)).toMatchObject({ conflicts: 0, revised: 0, unchanged: 9 });
  const shown = await listed(data);
  expect(shown.find(({ svc_id }) => svc_id === zero)?.email).toBe('corrected@example.org');
  expect(shown.find(({ svc_id }) => svc_id === one)?.email).toBe('corrected@example.org');
  expect(shown.map(({ name }) => name)).not.toContain('Service 9');

  // It comes back, and the source changes the corrected one again: this time it is taken.
  const third = services.map((each) => (each.id === 's1' ? { ...each, email: 'newest@example.org' } : each));
  const last = (await runCommand(data, 'import', month('three', third), '--take', 's1:email')) as Report;
  expect(last).toMatchObject({ conflicts: 1, revised: 1, reactivated: 1 });

  const undone = await runCommand(data, 'imports', 'undo', last.import, '--team', 'commons');
  expect(undone).toMatchObject({ taken_out: 1, revised: 1, left: 0 });
  expect(await runCommandLine(['imports', 'undo', last.import, '--team', 'commons'], data)).toMatchObject({
    code: 1,
  });
  const list = (await runCommand(data, 'imports', 'list', '--team', 'commons')) as { status: string }[];
  expect(list.map(({ status }) => status)).toEqual(['undone', 'ended', 'ended', 'ended']);
});

test('nothing is taken out when more than a fifth is gone, unless somebody says that this is right', async () => {
  const data = join(folder.path, 'gone');
  await runCommand(data, 'import', month('whole', services), '--approve');
  const cut = month('cut', services.slice(0, 7));
  const { code, stderr } = await runCommandLine(['import', cut, '--remove-missing'], data);
  expect(code).toBe(1);
  expect(stderr).toContain('3 of 10 records of this source are gone from the file.');
  expect(stderr).toContain('--remove-missing any');
  expect(await runCommand(data, 'import', cut)).toMatchObject({ deactivated: 0, missing: 3 });
  expect(await runCommand(data, 'import', cut, '--remove-missing', 'any')).toMatchObject({ deactivated: 3 });
});
