import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { resourceSearch } from '../../src/projections/directory/resource-search.ts';
import { resources } from '../../src/projections/directory/resources.ts';
import { modelNamed } from '../../src/projections/engine/read-model.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { context } from '../api/harness.ts';
import { appending } from '../support/append.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a later release of the gazetteer says: both lie on the other coast of Florida, 160 km away. */
const moved = {
  'postal-codes.tsv': ['33125\\tFL\\t086\\t[^\\n]*', '33125\tFL\t086\t26.64\t-81.87'],
  'towns.tsv': ['Homestead\\tFL\\t[^\\n]*', 'Homestead\tFL\t26.62\t-81.85'],
} as const;
const miami = '25.774,-80.194';
const otherCoast = '26.63,-81.86';
/** A Tuesday, 10 am in Miami. */
const tuesday = '2026-11-24T15:00:00Z';

const records: readonly Pick<UnsealedFields, 'name' | 'locations'>[] = [
  { name: 'By its code', locations: [{ city: 'Miami', region: 'FL', postal_code: '33125' }] },
  { name: 'By its town', locations: [{ city: 'Homestead', region: 'FL' }] },
  {
    name: 'By its point',
    locations: [{ postal_code: '33125', city: 'Miami', region: 'FL', latitude: 25.8, longitude: -80.19 }],
  },
  { name: 'Elsewhere', locations: [{ city: 'Miami', region: 'FL', postal_code: '33130' }] },
  { name: 'Hidden', locations: [{ city: 'Homestead', region: 'FL', street: '1 Lane', confidential: true }] },
];

describe.skipIf(missing)(onEngines('another release of the gazetteer'), () => {
  const folder = temporaryFolder();
  const release = temporaryFolder();
  let beside: System;
  let serving: Serving;
  let key: string;
  const answers: Answers[] = [];
  /** Of the read models, when these answers were given. */
  const generations: (number | undefined)[][] = [];

  beforeAll(async () => {
    releaseWithMoved(release.path);
    serving = await startServing(folder.path);
    key = ((await runCommand(folder.path, ...newKey)) as { key: string }).key;
    beside = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    for (const each of records) {
      const fields = { category: 'food', opening_hours: weekdays, hours: 'Weekdays', ...each } as const;
      const { state } = await submitResource(beside, { team: 'commons', fields }, context());
      await commandResource(beside, state?.svc_id ?? '', { kind: 'approve' }, context());
    }
    await visible(beside.documents, models, await beside.store.head(), 60_000);
    await look();
    await serving.stop();
    serving = await startServing(folder.path, {}, 'unchanged', join(release.path, 'src/main.js'));
    await look();
    await rebuilt();
    await look();
  });
  afterAll(async () => {
    await beside.close();
    await serving.stop();
    await dropDatabase(folder.path);
    folder.remove();
    release.remove();
  });

  it('moves what is known by its postal code or town alone, at once and without a rebuild', () => {
    const [before, after] = answers as [Answers, Answers];
    expect(before.miami).toMatchObject({ 'By its code': true, 'By its town': true, Hidden: true });
    expect(before.otherCoast).toEqual({});
    expect(after.otherCoast).toEqual({ 'By its code': true, 'By its town': true, Hidden: true });
    expect(Object.keys(after.miami)).toEqual(['Elsewhere', 'By its point']);
    expect(generations[1]).toEqual(generations[0]);
  });

  it('leaves where it is what has coordinates, and what the release has not moved', () => {
    const [before, after] = answers as [Answers, Answers];
    for (const each of [before, after]) expect(each.miami).toMatchObject({ 'By its point': 2.92 });
    expect(after.page).toContain('Elsewhere');
    expect(after.page).not.toContain('By its code');
  });

  it('leaves the zones, and what is open', () => {
    const [before, after] = answers as [Answers, Answers];
    expect(before.open).toEqual(records.map(({ name }) => name).toSorted());
    expect(before.zones).toEqual(Object.fromEntries(before.open.map((name) => [name, 'America/New_York'])));
    expect([after.open, after.zones]).toEqual([before.open, before.zones]);
  });

  it('gives the same answers after a rebuild', () => {
    expect(answers[2]).toEqual(answers[1]);
  });

  interface Answers {
    /** By name, what is near: how far, or true where that is approximate. */
    readonly miami: Readonly<Record<string, number | true>>;
    readonly otherCoast: Readonly<Record<string, number | true>>;
    readonly page: string;
    readonly open: readonly string[];
    readonly zones: Readonly<Record<string, string>>;
  }

  const generation = async (name: string) => (await beside.documents.progress()).get(name)?.generation;

  async function look(): Promise<void> {
    answers.push(await answersOf());
    generations.push(await Promise.all(models.map(generation)));
  }

  async function answersOf(): Promise<Answers> {
    return {
      miami: await near(miami),
      otherCoast: await near(otherCoast),
      page: await (await fetch(`${serving.origin}/find?near=33130&radius=10&lang=en`)).text(),
      open: (await list(`open_at=${tuesday}`)).map(({ name }) => name).toSorted(),
      zones: Object.fromEntries(
        (await list('', '/api/resources')).map(({ name, hours_time_zone }) => [name, hours_time_zone ?? '']),
      ),
    };
  }

  interface Listed {
    readonly name: string;
    readonly distance_km?: number;
    readonly distance_approximate?: true;
    readonly hours_time_zone?: string;
  }

  async function list(query: string, path = '/dash/api/v1/resources'): Promise<readonly Listed[]> {
    const headers = { authorization: `Bearer ${key}`, 'x-api-key': key };
    const answer = await fetch(`${serving.origin}${path}?${query}`, { headers });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: Listed[] }).data;
  }

  const near = async (place: string): Promise<Record<string, number | true>> =>
    Object.fromEntries(
      (await list(`near=${place}&radius_km=60`)).map(({ name, distance_km = -1, distance_approximate }) => [
        name,
        distance_approximate ?? distance_km,
      ]),
    );

  /** The process that is of the release builds the read models anew. */
  async function rebuilt(): Promise<void> {
    for (const name of models) {
      const was = await generation(name);
      const model = modelNamed(name);
      await appending(beside.store, `projection-${model}`, {
        type: 'RebuildStarted',
        data: { projection: model },
      });
      await until(async () => (await generation(name)) !== was);
    }
  }
});

const models = [resourceSearch.collection.name, resources.collection.name];
const newKey = ['keys', 'create', '--kind', 'developer', '--scopes', 'resources:read'];
const weekdays: UnsealedFields['opening_hours'] = [
  { days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '09:30', closes: '17:00' },
];

/** The same program with other tables. */
function releaseWithMoved(folder: string): void {
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
  for (const shared of ['node_modules', 'package.json', 'examples', 'docs'])
    symlinkSync(join(root, shared), join(folder, shared));
  for (const [name, [line, other]] of Object.entries(moved)) {
    const path = join(folder, 'src/tables/gazetteer', name);
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(new RegExp(`^${line}$`, 'm'), other);
    if (changed === text) throw new Error(`${name} has no such line.`);
    writeFileSync(path, changed);
  }
}
