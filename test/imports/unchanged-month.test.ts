import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { withNewOrExistingSystem } from '../../src/cli/command-line.ts';
import {
  commandResource,
  eraseResourcePerson,
  importedSvcId,
} from '../../src/commands/directory/resource.ts';
import { resource } from '../../src/commands/directory/resource-decider.ts';
import { load } from '../../src/commands/command-handler.ts';
import { ensureCommons } from '../../src/commands/teams/ensure-commons.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import type { ReadBefore } from '../../src/hsds/row-digests.ts';
import { openInThread } from '../../src/hsds/source/open-in-thread.ts';
import { importDatapackage, type ImportOptions } from '../../src/imports/import-datapackage.ts';
import { oneAtATime } from '../../src/imports/one-at-a-time.ts';
import { readerVersion } from '../../src/imports/source-digests.ts';
import { UndoJobs } from '../../src/imports/undo-jobs.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { aCommand } from '../support/context.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const team = 'commons';

interface Service {
  readonly description?: string;
  readonly email?: string;
  readonly status?: string;
  readonly phone?: string;
  readonly contact?: string;
}

const usual: Readonly<Record<string, Service>> = {
  s1: { description: 'A bed for a night.', phone: '305-555-0101' },
  s2: { description: 'Warm showers.', contact: 'Ada Sample' },
  s3: { description: 'Warm meals.' },
  // Of this one each report says that its email is none.
  s4: { description: 'Clothes.', email: 'nobody' },
};

let packages = 0;
/** A package with these services, each at a place of its own, of two organizations. */
function published(services: Readonly<Record<string, Service>>): string {
  const at = join(folder.path, `package-${String(packages++)}`);
  mkdirSync(at);
  const table = (name: string, header: string, line: (id: string, of: Service) => string | undefined) => {
    const lines = Object.entries(services).flatMap(([id, of]) => line(id, of) ?? []);
    writeFileSync(join(at, `${name}.csv`), [header, ...lines, ''].join('\n'));
  };
  writeFileSync(
    join(at, 'organizations.csv'),
    'id,name,description\no1,Harbor House,Shelter.\no2,Bay Pantry,Food.\n',
  );
  table(
    'services',
    'id,organization_id,name,description,email,status',
    (id, of) =>
      `${id},o${id < 's3' ? 1 : 2},Service ${id},${of.description ?? ''},${of.email ?? ''},${of.status ?? 'active'}`,
  );
  table('service_at_locations', 'id,service_id,location_id', (id) => `at-${id},${id},l-${id}`);
  table('locations', 'id,organization_id,name', (id) => `l-${id},o${id < 's3' ? 1 : 2},Hall ${id}`);
  table('addresses', 'id,location_id,address_1,city,state_province,postal_code,country', (id) => {
    return `a-${id},l-${id},1 Main Street,Miami,FL,33101,US`;
  });
  table('phones', 'id,service_id,number', (id, { phone }) => phone && `p-${id},${id},${phone}`);
  table('contacts', 'id,service_id,name', (id, { contact }) => contact && `c-${id},${id},${contact}`);
  return at;
}

type Options = Partial<Pick<ImportOptions, 'approve' | 'dryRun' | 'removeMissing'>>;

/** A directory in a data folder of its own. Its imports say what was read of the source and of the streams. */
function directory() {
  const data = join(folder.path, `data-${crypto.randomUUID()}`);
  const system = <Result>(work: Parameters<typeof withNewOrExistingSystem<Result>>[1]) =>
    withNewOrExistingSystem({ environment: { DATA_DIR: data }, exitCode: 0 }, work);
  const svcId = (id: string) => importedSvcId(team, { system: 'county', id });
  return {
    import: (path: string, { approve = true, dryRun = false, removeMissing }: Options = {}) =>
      system(async (at) => {
        await ensureCommons(at.store, at.context());
        const datapackage = await openInThread(path);
        const made: string[] = [];
        const loaded: string[] = [];
        try {
          const report = await oneAtATime(at.leases, team, () =>
            importDatapackage(
              { ...partsOf(at), store: counted(at.store, loaded) },
              {
                ...datapackage,
                async *records(before) {
                  for await (const item of datapackage.records(before)) {
                    if (item.kind === 'record' || item.kind === 'organization') made.push(item.source_id);
                    yield item;
                  }
                },
              },
              {
                team,
                source: 'county',
                importId: crypto.randomUUID(),
                approve,
                dryRun,
                removeMissing,
                concurrency: 8,
              },
            ),
          );
          return { report, made: made.sort(), loaded };
        } finally {
          await datapackage.close();
        }
      }),
    undo: (id: string) =>
      system(async (at) => {
        const { actor } = at.context();
        const { store, documents, side, leases } = at;
        const onFault = (error: unknown) => expect.unreachable(String(error));
        const jobs = new UndoJobs({ store, documents, side, leases, onFault });
        await jobs.undo({ team, id, actor, total: 0, context: () => at.context() });
      }),
    command: (id: string, command: Parameters<typeof commandResource>[2]) =>
      system(async (at) => {
        await at.waitUntilVisible(await commandResource(at, svcId(id), command, aCommand()));
      }),
    eraseContact: (id: string) =>
      system(async (at) => {
        const { state } = await load(at.store, resource, svcId(id));
        const person = state?.fields.contacts?.[0]?.person ?? '';
        await at.waitUntilVisible(await eraseResourcePerson(at, svcId(id), { person }, aCommand()));
      }),
    state: (id: string) => system(async (at) => (await load(at.store, resource, svcId(id))).state),
    digests: () => system((at) => at.side.table<unknown>('import-digests').list()),
    forget: (entries: readonly { readonly id: string }[]) =>
      system(async (at) => {
        for (const { id } of entries) await at.side.table('import-digests').delete(id);
      }),
    put: (entries: readonly { readonly id: string; readonly value: unknown }[]) =>
      system(async (at) => {
        for (const { id, value } of entries) await at.side.table('import-digests').put(id, value);
      }),
  };
}

type At = Parameters<Parameters<typeof withNewOrExistingSystem>[1]>[0];

const partsOf = (at: At) => ({
  store: at.store,
  vault: at.vault,
  personal: at.personal,
  documents: at.documents,
  side: at.side,
  context: () => at.context(),
  waitUntilVisible: (...shown: Parameters<At['waitUntilVisible']>) => at.waitUntilVisible(...shown),
});

/** The store, which notes the streams of records that are read. */
const counted = (store: EventStore, loaded: string[]): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (name === 'readStream' && /^(resource|organization)-/.test(String(given[0])))
          loaded.push(String(given[0]));
        return Reflect.apply(value, target, given);
      };
    },
  });

describe('a month in which a source has not changed', () => {
  test('makes no record anew and loads no stream, but of what there is something to report about, and reports the same', async () => {
    const at = directory();
    const path = published(usual);
    const first = await at.import(path);
    expect(first.report).toMatchObject({ new: 4, organizations: { new: 2 } });
    expect(first.made).toEqual(['o1', 'o2', 's1', 's2', 's3', 's4']);

    const second = await at.import(path);
    expect(second.report).toMatchObject({ unchanged: 4, organizations: { unchanged: 2 } });
    expect(second.made).toEqual(['s4']);
    expect(second.loaded).toHaveLength(1);
    const { problems, warnings, not_carried, repaired_links, broken_links } = first.report;
    expect(second.report).toMatchObject({ problems, warnings, not_carried, repaired_links, broken_links });
    expect(warnings).toMatchObject([{ reason: expect.stringContaining('email') as string }]);

    const compared = await at.import(path, { dryRun: true });
    expect(compared.made).toEqual(['s4']);
    expect(compared.report).toMatchObject({ unchanged: 4, warnings });
  }, 60_000);

  test('what has changed, wherever in the tables, is read, and nothing else', async () => {
    const at = directory();
    await at.import(published(usual));
    const changed = { ...usual, s1: { ...usual['s1'], phone: '305-555-0199' }, s9: {} };
    const second = await at.import(published(changed));
    // An organization looks where services are offered.
    expect(second.made).toEqual(['o2', 's1', 's4', 's9']);
    expect(second.report).toMatchObject({ new: 1, revised: 1, unchanged: 3 });
    expect((await at.import(published(changed))).made).toEqual(['s4']);
    // As in the first month.
    expect(await at.import(published(usual))).toMatchObject({ report: { revised: 1, missing: 1 } });
    expect((await at.state('s1'))?.fields.phones).toMatchObject([{ number: '305-555-0101' }]);
  }, 60_000);

  test('what a person has changed stays, and what the source changes then is met', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    await at.command('s3', { kind: 'revise', change: { description: 'Warm meals and soup.' } });
    expect((await at.import(path)).made).toEqual(['s4']);
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals and soup.' } });
    const changed = published({ ...usual, s3: { description: 'Warm meals and stew.' } });
    expect((await at.import(changed)).report).toMatchObject({ conflicts: 1, revised: 0 });
    expect((await at.import(changed)).made).toEqual(['s4']);
    expect(await at.state('s3')).toMatchObject({
      fields: { description: 'Warm meals and soup.' },
      base: { description: 'Warm meals and stew.' },
    });
  }, 60_000);

  test('what was undone is read again, and comes back', async () => {
    const at = directory();
    await at.import(published(usual));
    const changed = published({ ...usual, s3: { description: 'Stew.' } });
    const { report } = await at.import(changed);
    await at.undo(report.import ?? '');
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals.' } });
    const again = await at.import(changed);
    expect(again.made).toEqual(['s3', 's4']);
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Stew.' } });
  }, 60_000);

  test('what was taken out as missing comes back, and what waits for review is approved when that is chosen', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path, { approve: false });
    expect((await at.import(path, { approve: false })).made).toEqual(['s4']);
    const approving = await at.import(path);
    expect(approving.report).toMatchObject({ approved: 4 });
    const { s3: _, ...rest } = usual;
    await at.import(published(rest), { removeMissing: 'any' });
    expect(await at.state('s3')).toMatchObject({ status: 'inactive' });
    expect((await at.import(path)).report).toMatchObject({ reactivated: 1 });
    expect(await at.state('s3')).toMatchObject({ status: 'approved' });
  }, 60_000);

  test('a contact who was erased stays out, and each report says so', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    await at.eraseContact('s2');
    // The service says what it said, and nothing about the erased contact is looked at.
    await at.import(published({ ...usual, s2: { ...usual['s2'], description: 'Hot showers.' } }));
    const again = await at.import(
      published({ ...usual, s2: { ...usual['s2'], description: 'Hot showers.' } }),
    );
    expect(again.made).toEqual(['s2', 's4']);
    expect(again.report).toMatchObject({ erased_left_out: 1 });
    expect((await at.state('s2'))?.fields.contacts ?? []).toEqual([]);
  }, 60_000);

  test('digests of an older month count for nothing once a record was read from another one', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    const older = await at.digests();
    await at.import(published({ ...usual, s3: { description: 'Stew.' } }));
    await at.forget(await at.digests());
    await at.put(older);
    const third = await at.import(path);
    expect(third.made).toEqual(['s3', 's4']);
    expect(await at.state('s3')).toMatchObject({ fields: { description: 'Warm meals.' } });
  }, 60_000);

  test('without digests everything is read, and they are no guess at what they are of', async () => {
    const at = directory();
    const path = published(usual);
    await at.import(path);
    const entries = await at.digests();
    expect(JSON.stringify(entries)).not.toMatch(/Ada|s2|county/);
    await at.forget(entries);
    expect((await at.import(path)).made).toHaveLength(6);
    expect((await at.import(path)).made).toEqual(['s4']);
    rmSync(path, { recursive: true });
  }, 60_000);
});

test('a better reader, other choices of columns and another key read everything again', async () => {
  const datapackage = await openDatapackage(published(usual));
  const read = async (before: Omit<ReadBefore, 'digests'>, digests: readonly string[] = []) => {
    const items = [];
    for await (const item of datapackage.records({ ...before, digests: new Set(digests) })) items.push(item);
    return items.filter(({ kind }) => kind !== 'warning');
  };
  const key = randomBytes(32);
  const first = await read({ key, readBy: 'one' });
  const digests = first.flatMap((item) => ('digest' in item ? (item.digest ?? []) : []));
  expect(digests).toHaveLength(5);
  const kinds = async (before: Omit<ReadBefore, 'digests'>) =>
    new Set((await read(before, digests)).map(({ kind }) => kind));
  expect(await kinds({ key, readBy: 'one' })).toEqual(new Set(['unchanged', 'record']));
  expect(await kinds({ key, readBy: 'two' })).toEqual(new Set(['organization', 'record']));
  expect(await kinds({ key: randomBytes(32), readBy: 'one' })).toEqual(new Set(['organization', 'record']));
  datapackage.close();
  expect(readerVersion()).toMatch(/^[\w-]{43}$/);
});
