import { execFileSync } from 'node:child_process';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildServer } from '../../../../src/api/server.ts';
import { changesPath } from '../../../../src/api/directory/v1/changes.ts';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { resourceFieldRows } from '../../../../src/events/directory/resource-fields.ts';
import { PersonalData, resourcePersonOf } from '../../../../src/personal/personal-data.ts';
import { StoreError } from '../../../../src/stores/errors.ts';
import type { Vault } from '../../../../src/stores/vault/port.ts';
import { altered } from '../../../support/altered.ts';
import { context, legacy, startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { get, type ListBody } from '../read.ts';

const scopes = ['resources:read', 'resources:submit', 'directory:manage'] as const;

interface Contact {
  readonly id: string;
  readonly name?: string;
}
interface Shown {
  readonly svc_id: string;
  readonly contacts?: readonly Contact[];
  readonly verified_by?: string;
}

const anastasia = {
  name: 'Anastasia Vélez-Żółć',
  title: 'Director of Intake',
  department: 'Intake',
  email: 'anastasia@velez.example',
  phones: [{ number: '305-555-0177', extension: '9', note: 'Ring twice', languages: ['Kreyòl'] }],
};
const bartholomew = { name: 'Bartholomew Quill' };
const verifier = 'cornelia.verifies@example.org';
const clinic = {
  name: 'Clinic',
  category: 'health',
  email: 'clinic@example.org',
  contacts: [anastasia, bartholomew],
  verified_by: verifier,
} as const;
/** None of these may stand anywhere in clear. */
const personal = ['Anastasia', 'velez', 'Intake', '555-0177', 'Ring twice', 'Bartholomew', 'cornelia'];

let system: RunningSystem;
let developer: TestKey;
let reader: TestKey;
let manager: TestKey;
let stranger: TestKey;
let log = '';

beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  system = await startSystem({ logger: { level: 'trace', stream } });
  for (const team of ['harbour', 'quay']) await system.team(team, ['directory:manage']);
  developer = await system.key();
  reader = await system.key({ kind: 'team', team: 'quay', scopes: ['resources:read'] });
  manager = await system.key({ kind: 'team', team: 'harbour', scopes });
  stranger = await system.key({ kind: 'team', team: 'quay', scopes });
});
afterAll(() => system.stop());

const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, key = manager) =>
  system.server.inject({ method, url: v1 + path, headers: key.bearer, ...(payload ? { payload } : {}) });
async function published(fields: object): Promise<string> {
  const { svc_id } = (await send('POST', '', fields)).json<Shown>();
  await send('POST', `/${svc_id}/approve`, {});
  return svc_id;
}
const one = async (svcId: string, key = reader) =>
  (await get(system.server, `${v1}/${svcId}`, key.bearer)).json<Shown>();
const changed = async (svcId: string, change: object) => {
  const answer = await send('PATCH', `/${svcId}`, change);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<Shown>();
};
const eventsOf = (svcId: string) => system.system.store.readStream(`resource-${svcId}`);
const typesOf = async (svcId: string) => (await eventsOf(svcId)).map(({ type }) => type);
const contactOf = ({ contacts = [] }: Shown, name: string): Contact => {
  const contact = contacts.find((each) => each.name === name);
  if (!contact) throw new Error(`${name} is not there.`);
  return contact;
};
const keyOf = (person: string) => system.system.vault.get(resourcePersonOf(person));

describe('contact persons', () => {
  let svcId: string;
  beforeEach(async () => {
    svcId = await published(clinic);
  });

  const listed = async (key: TestKey, query = '?limit=100') => {
    const { data } = (await get(system.server, v1 + query, key.bearer)).json<ListBody>();
    return data.find(({ svc_id }) => svc_id === svcId);
  };
  const inFeed = async (key: TestKey) => {
    const answer = await get(system.server, `${changesPath}?limit=100`, key.bearer);
    const { data } = answer.json<{ data: readonly { svc_id: string; record: unknown }[] }>();
    return data.find(({ svc_id }) => svc_id === svcId)?.record;
  };

  test('are seen by team keys, wherever they read', async () => {
    const { contacts, verified_by } = await one(svcId);
    expect(contacts).toEqual([
      { id: expect.any(String) as string, ...anastasia },
      { id: expect.any(String) as string, ...bartholomew },
    ]);
    expect(verified_by).toBe(verifier);
    const seen = { contacts, verified_by };
    expect(await listed(reader)).toMatchObject(seen);
    expect(await listed(reader, '?limit=100&q=clinic')).toMatchObject(seen);
    expect(await inFeed(reader)).toMatchObject(seen);
    expect(await one(svcId, manager)).toMatchObject({ ...seen, status: 'approved' });
    const services = await get(system.server, '/hsds/services?full=true', reader.bearer);
    expect(services.json<{ contents: readonly object[] }>().contents).toMatchObject([
      { contacts: [{ name: anastasia.name, email: anastasia.email }, bartholomew], assurer_email: verifier },
    ]);
    const draft = (await send('POST', '', clinic)).json<Shown>();
    expect(draft).toMatchObject({ contacts: [anastasia, bartholomew], verified_by: verifier });
    const { data } = (await get(system.server, `${v1}?status=submitted`, manager.bearer)).json<ListBody>();
    expect(data.find(({ svc_id }) => svc_id === draft.svc_id)).toMatchObject({
      contacts: [anastasia, bartholomew],
    });
  });

  test('are seen by no other key, in no log line, and by no search', async () => {
    const urls = [`${v1}/${svcId}`, `${v1}?limit=100`, `${v1}?q=clinic`, `${changesPath}?limit=100`];
    const bodies = await Promise.all(urls.map((url) => get(system.server, url, developer.bearer)));
    bodies.push(await get(system.server, `${legacy}?limit=500`, { 'x-api-key': manager.key }));
    const services = await get(system.server, '/hsds/services?full=true', developer.bearer);
    expect(services.statusCode).toBe(200);
    for (const word of personal) expect(services.body).not.toContain(word);
    for (const { statusCode, body } of bodies) {
      expect(statusCode).toBe(200);
      expect(body).toContain(svcId);
      expect(body).not.toContain('contacts');
      for (const word of personal) expect(body).not.toContain(word);
    }
    const bad = { ...clinic, contacts: [{ ...anastasia, email: 'anastasia at velez' }] };
    const refused = await send('POST', '', bad);
    expect(refused.statusCode).toBe(422);
    for (const text of [refused.body, log]) for (const word of personal) expect(text).not.toContain(word);
    expect(log).toContain(v1);
    for (const word of ['anastasia', 'intake', 'cornelia', 'bartholomew']) {
      expect((await get(system.server, `${v1}?q=${word}`, reader.bearer)).json<ListBody>().data).toEqual([]);
    }
  });

  test('stand in clear in no file', () => {
    const holding = (word: string) => {
      try {
        return execFileSync('grep', ['-rla', word, system.folder]).toString().trim().split('\n');
      } catch {
        return [];
      }
    };
    for (const word of personal) expect(holding(word), word).toEqual([]);
    expect(holding('clinic@example.org').length).toBeGreaterThan(0);
  });

  test('that are given again change nothing, as they were given and as they were read', async () => {
    const { contacts = [], verified_by } = await one(svcId);
    await changed(svcId, { contacts: clinic.contacts, verified_by: ` ${verifier} ` });
    await changed(svcId, { contacts, verified_by });
    expect(await typesOf(svcId)).toEqual(['ResourceSubmitted', 'ResourceApproved']);
    await changed(svcId, { contacts: contacts.toReversed() });
    expect((await one(svcId)).contacts).toEqual(contacts.toReversed());
  });

  test('keep their key when what is said of them changes, and get one each when they are new', async () => {
    const before = await one(svcId);
    const promoted = { ...bartholomew, title: 'Head' };
    const after = await changed(svcId, {
      contacts: [
        { name: 'Dorothea' },
        promoted,
        { id: contactOf(before, anastasia.name).id, name: 'Anastasia Stone' },
      ],
    });
    expect(contactOf(after, bartholomew.name).id).toBe(contactOf(before, bartholomew.name).id);
    expect(contactOf(after, 'Anastasia Stone').id).toBe(contactOf(before, anastasia.name).id);
    const ids = after.contacts?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(await keyOf(id)).toBeDefined();
    expect(await typesOf(svcId)).toEqual(['ResourceSubmitted', 'ResourceApproved', 'ResourceRevised']);
  });

  test('are removed by null and by an empty list', async () => {
    expect(await changed(svcId, { contacts: [] })).toMatchObject({ contacts: [], verified_by: verifier });
    const none = await changed(svcId, { contacts: null, verified_by: null });
    expect(none).not.toHaveProperty('contacts');
    expect(none).not.toHaveProperty('verified_by');
    expect(await one(svcId)).not.toHaveProperty('contacts');
  });

  test.each<[string, object, string, string]>([
    ['of whom nothing is said', { contacts: [{}] }, 'invalid_body', 'contacts.0'],
    ['with an id alone', { contacts: [{ id: crypto.randomUUID() }] }, 'invalid_body', 'contacts.0'],
    [
      'with the id of a stranger',
      { contacts: [{ id: crypto.randomUUID(), name: 'Eve' }] },
      'invalid',
      'contacts.0.id',
    ],
    ['with a field that there is not', { contacts: [{ name: 'Eve', age: 40 }] }, 'invalid_body', 'age'],
    ['who are too many', { contacts: new Array(51).fill({ name: 'Eve' }) }, 'invalid_body', 'contacts'],
    [
      'who are too long',
      { contacts: [{ phones: new Array(60).fill({ number: '1', note: 'x'.repeat(300) }) }] },
      'invalid_body',
      'contacts.0',
    ],
  ])('%s are refused', async (_, fields, error, where) => {
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${svcId}`],
    ] as const) {
      const answer = await send(method, path, { name: 'x', category: 'food', ...fields });
      expect(answer.json()).toMatchObject({ status: 422, error });
      expect(answer.json<{ detail: string }>().detail).toContain(where);
      expect(answer.body).not.toContain('Eve');
    }
    expect(await typesOf(svcId)).toHaveLength(2);
  });

  test('of a source are taken once, however often it is imported', async () => {
    const { contacts, ...rest } = clinic;
    const record = {
      team: 'harbour',
      source: { system: 'a source', id: crypto.randomUUID() },
      fields: { ...rest, contacts: [...contacts] },
      active: true,
      approve: true,
    };
    const first = await importResource(system.system, record, context());
    const again = await importResource(system.system, record, context());
    expect(again.events).toEqual([]);
    const moved = {
      ...record,
      fields: { ...record.fields, contacts: [{ ...anastasia, email: 'a@velez.example' }] },
    };
    const { events, state } = await importResource(system.system, moved, context());
    expect(events.map(({ type }) => type)).toEqual(['ResourceRevised']);
    expect(state?.fields.contacts?.[0]?.person).toBe(first.state?.fields.contacts?.[0]?.person);
  });
});

describe('the erasure of a person', () => {
  const people = async (svcId: string, key = manager) =>
    (await get(system.server, `${v1}/${svcId}/people`, key.bearer)).json<{
      data: readonly { id: string; standing: string; field: string; said: unknown }[];
    }>().data;
  const erase = (svcId: string, id: string, key = manager) =>
    send('DELETE', `/${svcId}/people/${id}`, undefined, key);

  test('takes what was ever said of them out of every read, and an event tells of it', async () => {
    const svcId = await published(clinic);
    const { id } = contactOf(await one(svcId), anastasia.name);
    await changed(svcId, { contacts: [{ ...anastasia, title: 'Chief' }, bartholomew] });
    const erased = await erase(svcId, id);
    expect(erased.statusCode).toBe(200);
    expect(erased.json()).toMatchObject({ contacts: [bartholomew] });
    expect((await one(svcId)).contacts).toMatchObject([bartholomew]);
    expect(await keyOf(id)).toBeUndefined();
    expect((await eventsOf(svcId)).at(-1)).toMatchObject({
      type: 'ResourcePersonErased',
      data: { person: id },
    });
    for (const url of [`${v1}?limit=100`, `${changesPath}?limit=100`]) {
      const { body } = await get(system.server, url, manager.bearer);
      expect(body).toContain(svcId);
      expect(body).not.toContain(id);
    }
    expect(await people(svcId)).toMatchObject([
      { id, standing: 'erased', field: 'contacts', said: null },
      { standing: 'current', field: 'contacts', said: bartholomew },
      { standing: 'current', field: 'verified_by', said: verifier },
    ]);
  });

  test('is the same when it is repeated, and finishes what a crash has left', async () => {
    const svcId = await published(clinic);
    const { id } = contactOf(await one(svcId), anastasia.name);
    await erase(svcId, id);
    // As if the process had died between the event and the destruction of the key.
    await system.system.personal.begin(resourcePersonOf(id));
    expect((await erase(svcId, id)).statusCode).toBe(200);
    expect(await keyOf(id)).toBeUndefined();
    expect(await typesOf(svcId)).toEqual(['ResourceSubmitted', 'ResourceApproved', 'ResourcePersonErased']);
  });

  test('reaches who verified the record, and whom a change has removed before', async () => {
    const svcId = await published(clinic);
    await changed(svcId, { contacts: [bartholomew] });
    const [former, verified] = ['former', 'verified_by'].map(async (which) =>
      (await people(svcId)).find(({ standing, field }) => [standing, field].includes(which)),
    );
    for (const person of [await former, await verified]) {
      expect(person?.said).toBeTruthy();
      expect((await erase(svcId, person?.id ?? '')).statusCode).toBe(200);
      expect(await keyOf(person?.id ?? '')).toBeUndefined();
    }
    expect(await one(svcId)).not.toHaveProperty('verified_by');
    expect((await people(svcId)).map(({ standing }) => standing).sort()).toEqual([
      'current',
      'erased',
      'erased',
    ]);
  });

  test('is not undone by a repeated request, nor by a change that was read before it', async () => {
    const headers = { ...manager.bearer, 'idempotency-key': crypto.randomUUID() };
    const submit = () => system.server.inject({ method: 'POST', url: v1, headers, payload: clinic });
    const { svc_id, contacts = [] } = (await submit()).json<Shown>();
    const { id } = contactOf({ svc_id, contacts }, anastasia.name);
    await erase(svc_id, id);
    expect((await submit()).json<Shown>().contacts).toMatchObject([bartholomew]);
    expect(await keyOf(id)).toBeUndefined();
    const stale = await send('PATCH', `/${svc_id}`, { contacts });
    expect(stale.json()).toMatchObject({ status: 422, error: 'invalid' });
    expect((await one(svc_id, manager)).contacts).toMatchObject([bartholomew]);
  });

  test('is for those who manage the directory', async () => {
    const svcId = await published(clinic);
    const { id } = contactOf(await one(svcId), anastasia.name);
    for (const [key, status] of [
      [developer, 403],
      [reader, 403],
      [stranger, 404],
    ] as const) {
      expect((await erase(svcId, id, key)).statusCode).toBe(status);
      expect((await get(system.server, `${v1}/${svcId}/people`, key.bearer)).statusCode).toBe(status);
    }
    for (const nobody of [crypto.randomUUID(), 'x', '%00']) {
      expect((await erase(svcId, nobody)).statusCode).toBe(404);
    }
    expect(await keyOf(id)).toBeDefined();
  });
});

describe('the vault', () => {
  /** A server on the same stores, with its own cache of data keys, over a vault that does something else. */
  async function serverWith(changes: Partial<Vault>) {
    const vault = altered(system.system.vault, changes);
    const parts = { ...system.system, vault, personal: new PersonalData(vault) };
    return buildServer({ ...parts, ready: () => Promise.resolve({ ready: true }) });
  }

  test('is not asked for a page without persons, and once for a page of many', async () => {
    let reads = 0;
    const { vault } = system.system;
    const count = <Words extends unknown[], Result>(work: (...words: Words) => Result) => {
      return (...words: Words) => ((reads += 1), work(...words));
    };
    const server = await serverWith({
      get: count((name) => vault.get(name)),
      getMany: count((names) => vault.getMany(names)),
    });
    const page = async (key: TestKey, query: string) => {
      reads = 0;
      const answer = await get(server, `${v1}?${query}`, key.bearer);
      return { reads, count: answer.json<ListBody>().data.length };
    };
    await system.resources(30, { fields: () => ({ category: 'transit' }) });
    expect(await page(reader, 'category=transit&limit=100')).toEqual({ reads: 0, count: 30 });
    await system.resources(30, {
      fields: (n) => ({ category: 'goods', contacts: [{ name: `One ${n}` }, { name: `Two ${n}` }] }),
    });
    expect(await page(developer, 'category=goods&limit=100')).toEqual({ reads: 0, count: 30 });
    expect(await page(reader, 'category=goods&limit=100')).toEqual({ reads: 1, count: 30 });
    // Another page with the same persons: their data keys are cached.
    expect(await page(reader, 'category=goods&limit=99')).toEqual({ reads: 0, count: 30 });
    await server.close();
  });

  test('that is away keeps persons from team keys with 503, and nothing from others', async () => {
    const svcId = await published(clinic);
    const away = () => Promise.reject(new StoreError('unavailable', 'The vault is away.'));
    const server = await serverWith({ get: away, getMany: away });
    for (const url of [`${v1}/${svcId}`, `${v1}?category=health`, `${changesPath}?limit=100`]) {
      const refused = await get(server, url, reader.bearer);
      expect(refused.statusCode).toBe(503);
      expect(refused.headers['retry-after']).toBeDefined();
      expect((await get(server, url, developer.bearer)).statusCode).toBe(200);
    }
    await server.close();
  });
});

test('only fields of the team tier are personal, and none is searched', () => {
  const rows = resourceFieldRows.filter(({ personal }) => personal);
  expect(rows.map(({ name }) => name)).toEqual(['contacts', 'verified_by']);
  for (const row of rows) expect(row).toMatchObject({ tier: 'team' });
  for (const row of rows) expect(row).not.toHaveProperty('searched');
});
