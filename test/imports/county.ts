import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { withNewOrExistingSystem } from '../../src/cli/command-line.ts';
import { importedSvcId } from '../../src/commands/directory/import-record.ts';
import { commandResource, eraseResourcePerson } from '../../src/commands/directory/resource.ts';
import { resource } from '../../src/commands/directory/resource-decider.ts';
import { load } from '../../src/commands/command-handler.ts';
import { ensureCommons } from '../../src/commands/teams/ensure-commons.ts';
import { openInThread } from '../../src/hsds/source/open-in-thread.ts';
import { importDatapackage, type ImportOptions } from '../../src/imports/import-datapackage.ts';
import { oneAtATime } from '../../src/imports/team-jobs.ts';
import { UndoJobs } from '../../src/imports/undo-records.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { aCommand } from '../support/context.ts';
import { folderOfThisTest } from '../support/folder-of-test.ts';

export const team = 'commons';

export interface Service {
  readonly description?: string;
  readonly email?: string;
  readonly status?: string;
  readonly phone?: string;
  readonly contact?: string;
}

export const usual: Readonly<Record<string, Service>> = {
  s1: { description: 'A bed for a night.', phone: '305-555-0101' },
  s2: { description: 'Warm showers.', contact: 'Ada Sample' },
  s3: { description: 'Warm meals.' },
  // Of this one each report says that its email is none.
  s4: { description: 'Clothes.', email: 'nobody' },
};

/** A package with these services, each at a place of its own, of two organizations. */
export function published(services: Readonly<Record<string, Service>>): string {
  const at = folderOfThisTest();
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
export function directory() {
  const data = folderOfThisTest();
  const system = <Result>(work: Parameters<typeof withNewOrExistingSystem<Result>>[1]) =>
    withNewOrExistingSystem({ environment: { DATA_DIR: data }, exitCode: 0 }, work);
  const svcId = (id: string) => importedSvcId(team, { system: 'county', id });
  return {
    system,
    svcId,
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
        return jobs.undo({ team, id, actor, total: 0, context: () => at.context() });
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
