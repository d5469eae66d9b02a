import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { commandResource } from '../../../src/commands/directory/resource.ts';
import type { ResourceChange } from '../../../src/commands/directory/field-changes.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { aCommand } from '../../support/context.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { engineSettings } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { runCommand } from '../../support/serving.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

interface Service {
  readonly id: string;
  readonly name: string;
  readonly [column: string]: unknown;
}

interface Report {
  readonly import: string;
}

interface Shown {
  readonly svc_id: string;
}

/** What somebody does with the stores of a directory beside the command line. */
async function onStores(data: string, work: (system: System) => Promise<unknown>): Promise<void> {
  const system = await openSystem(readConfig({ DATA_DIR: data, ...engineSettings(data) }));
  try {
    await work(system);
  } finally {
    await system.close();
  }
}

/** A directory of its own, and what people do with it by command line. */
function directoryOf(name: string) {
  const data = join(folder.path, name);
  const file = join(folder.path, `${name}-months`, 'month.json');
  mkdirSync(dirname(file), { recursive: true });
  const run = (...words: readonly string[]) => runCommand(data, ...words);
  return {
    run,
    async import(services: readonly Service[], ...words: readonly string[]): Promise<Report> {
      writeFileSync(file, JSON.stringify(services.map((each) => ({ status: 'active', ...each }))));
      return (await run('import', file, '--source', 'county', ...words)) as Report;
    },
    correct: (svcId: string, change: ResourceChange) =>
      onStores(data, (system) => commandResource(system, svcId, { kind: 'revise', change }, aCommand())),
    stores: (work: (system: System) => Promise<unknown>) => onStores(data, work),
    undo: ({ import: id }: Report) => run('imports', 'undo', id, '--team', 'commons'),
    shown: async (status = 'approved') => (await run('resources', 'list', '--status', status)) as Shown[],
  };
}

const service = { id: 's1', name: 'Harbour pantry' };
const open = (day: string) => ({
  schedules: [{ id: 'h1', freq: 'WEEKLY', byday: day, opens_at: '09:00', closes_at: '17:00' }],
});

test('undoing leaves opening hours and their words together where a person has changed the words since', async () => {
  const directory = directoryOf('hours');
  await directory.import([{ ...service, ...open('MO') }], '--approve');
  const second = await directory.import([{ ...service, ...open('TU') }]);
  const [record] = await directory.shown();
  await directory.correct(record?.svc_id ?? '', { hours: 'By appointment' });
  expect(await directory.undo(second)).toMatchObject({
    ...{ revised: 0, left: 1 },
    left_records: [{ left: ['hours', 'opening_hours'] }],
  });
  const [shown] = await directory.shown();
  expect(shown).toMatchObject({ hours: 'By appointment', opening_hours: [{ days: ['tue'] }] });
});

test('the first import after an update meets no conflict where imports of before have changed a record', async () => {
  const directory = directoryOf('before');
  await directory.import([{ ...service, email: 'first@example.org' }], '--approve');
  const [record] = await directory.shown();
  const stream = `resource-${record?.svc_id ?? ''}`;
  await directory.stores(async ({ store }) => {
    const [first] = await store.readStream(stream);
    const { fields } = (first as unknown as { data: { fields: object } }).data;
    const command = '0f9b3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
    await store.append(
      stream,
      [
        {
          id: '1f9b3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01',
          type: 'ResourceRevised',
          data: { fields: { ...fields, email: 'second@example.org' } },
          metadata: {
            ...first?.metadata,
            ...{ commonweal_schema: 2, command_id: command, causation_id: command },
          },
        },
      ],
      1,
    );
  });
  expect(await directory.import([{ ...service, email: 'third@example.org' }])).toMatchObject({
    ...{ revised: 1, conflicts: 0 },
  });
});

test('a record that an undone import had approved waits for review when it comes back without approval', async () => {
  const directory = directoryOf('unreviewed');
  const first = await directory.import([service], '--approve');
  const [record] = await directory.shown();
  expect(await directory.undo(first)).toMatchObject({ taken_out: 1, returned: 0, left: 0 });
  expect(await directory.import([service])).toMatchObject({ approved: 0, reactivated: 1 });
  expect(await directory.shown('submitted')).toMatchObject([{ svc_id: record?.svc_id }]);
  // Subscribers were told once, by the one event, that it was approved: now it is put back.
  expect(await directory.import([service], '--approve')).toMatchObject({ approved: 0, reactivated: 1 });
  expect(await directory.shown()).toMatchObject([{ svc_id: record?.svc_id }]);
  expect(await directory.run('events', '--type', 'ResourceApproved')).toMatchObject({
    type: 'ResourceApproved',
  });
});

test('a record that waited before the undone import approved it waits again', async () => {
  const directory = directoryOf('waited');
  await directory.import([service]);
  const second = await directory.import([{ ...service, email: 'desk@example.org' }], '--approve');
  expect(await directory.undo(second)).toMatchObject({ taken_out: 1, revised: 1, returned: 0, left: 0 });
  const [record] = await directory.shown('submitted');
  await directory.run('resources', 'approve', record?.svc_id ?? '', '--note', 'Checked by phone.');
  expect(await directory.shown()).toMatchObject([{ svc_id: record?.svc_id }]);
});

test('undoing much says nothing but its answer to a program', async () => {
  const directory = directoryOf('many');
  const services = Array.from({ length: 201 }, (_, n) => ({ id: `s${n}`, name: `Pantry ${n}` }));
  const { import: id } = await directory.import(services);
  const words = ['imports', 'undo', id, '--team', 'commons', '--json'];
  const { stdout, stderr } = await runCommandLine(words, join(folder.path, 'many'));
  expect([JSON.parse(stdout), stderr]).toEqual([expect.objectContaining({ taken_out: 201 }), '']);
});
