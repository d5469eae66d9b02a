import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandOrganization, submitOrganization } from '../../../src/commands/directory/organization.ts';
import { importResource } from '../../../src/commands/directory/import-record.ts';
import { commandResource } from '../../../src/commands/directory/resource.ts';
import { decide } from '../../../src/actions/directory/records.ts';
import { perform, valueOf } from '../../../src/actions/perform.ts';
import { uuidOfNamed } from '../../../src/events/directory/organization-fields.ts';
import { uuidOfOrganization } from '../../../src/hsds/export/organization.ts';
import { organizations } from '../../../src/projections/directory/organizations.ts';
import { problemsBy } from '../../hsds/published-schemas.ts';
import { context, legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';
import { get, type ListBody } from './read.ts';

const path = '/dash/api/v1/organizations';
const hsds = '/hsds/organizations';

/** What the tests look at. */
interface Shown {
  readonly org_id: string;
  readonly name: string;
  readonly status?: string;
  readonly contacts?: readonly { readonly id: string; readonly name?: string }[];
  readonly locations: readonly object[];
}

const shelters = {
  name: 'Harbor Shelters',
  description: 'A bed for the night.',
  url: 'https://harbor.example/',
  email: 'office@harbor.example',
  phones: [{ number: '305-555-0100', extension: '7' }],
  locations: [
    { name: 'Office', street: '1 Quay', city: 'Miami', region: 'FL', country: 'US' },
    {
      city: 'Miami',
      street: '9 Hidden Lane',
      phones: [{ number: '305-555-0199' }],
      confidential: true as const,
    },
  ],
  identifiers: [{ scheme: 'US-EIN', value: '00-1234567' }],
  year_incorporated: 1981,
  legal_status: 'nonprofit',
  contacts: [{ name: 'Anastasia Vélez-Żółć', email: 'anastasia@harbor.example' }],
};

describe('organizations', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let reader: TestKey;
  let manager: TestKey;
  let stranger: TestKey;
  let shelterId: string;
  let waitingId: string;
  let svcId: string;

  const made = async (fields: { readonly name: string }, approve = true): Promise<string> => {
    const outcome = await submitOrganization(system.system, { team: 'harbor', fields }, context());
    const id = outcome.state?.org_id ?? '';
    if (approve) await commandOrganization(system.system, id, { kind: 'approve' }, context());
    return id;
  };
  const service = async (source: string, organization: object | undefined, approve: boolean) => {
    const record = {
      team: 'harbor',
      source: { system: 'city', id: source },
      fields: {
        name: `Service ${source}`,
        category: 'housing' as const,
        ...(organization ? { organization } : {}),
      },
      active: true,
      approve,
    };
    const { state } = await importResource(system.system, record as never, context());
    return state?.svc_id ?? '';
  };
  const read = async (url: string, { bearer } = developer) => get(system.server, url, bearer);
  const list = async (query = '', key = developer) =>
    (await read(path + query, key)).json<ListBody>().data as unknown as Shown[];

  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbor', ['directory:manage']);
    await system.team('other', ['directory:manage']);
    developer = await system.key();
    reader = await system.key({ kind: 'team', team: 'harbor', scopes: ['resources:read'] });
    manager = await system.key({
      kind: 'team',
      team: 'harbor',
      scopes: ['resources:read', 'directory:manage'],
    });
    stranger = await system.key({
      kind: 'team',
      team: 'other',
      scopes: ['resources:read', 'directory:manage'],
    });
    shelterId = await made(shelters);
    waitingId = await made({ name: 'Árbol Legal Aid' }, false);
    await made({ name: 'Zion Pantry' });
    svcId = await service('1', { id: shelterId, name: shelters.name, url: shelters.url }, true);
    await service('2', { name: 'Named Only', url: 'https://named.example/' }, true);
    await system.caughtUp();
  });
  afterAll(() => system.stop());

  test('are public when they are approved, in the order of their names and in pages', async () => {
    expect((await list()).map(({ name }) => name)).toEqual(['Harbor Shelters', 'Zion Pantry']);
    const first = (await read(`${path}?limit=1`)).json<ListBody>();
    expect(first).toMatchObject({ has_more: true, data: [{ name: 'Harbor Shelters' }] });
    const second = (await read(`${path}?limit=1&cursor=${first.next_cursor ?? ''}`)).json<ListBody>();
    expect(second).toMatchObject({ has_more: false, data: [{ name: 'Zion Pantry' }] });
  });

  test('show a developer neither persons, nor email, nor a confidential address', async () => {
    const answer = await read(`${path}/${shelterId}`);
    expect(answer.json()).toMatchObject({ org_id: shelterId, description: shelters.description });
    for (const secret of ['Anastasia', 'office@', 'Hidden', '305-555-0199', 'harbor"'])
      expect(answer.body, secret).not.toContain(secret);
    const ofTeam = await read(`${path}/${shelterId}`, reader);
    expect(ofTeam.json<Shown>().contacts).toMatchObject([{ name: 'Anastasia Vélez-Żółć' }]);
    expect(ofTeam.body).not.toContain('Hidden');
    const managed = await read(`${path}/${shelterId}`, manager);
    expect(managed.json()).toMatchObject({ team: 'harbor', status: 'approved' });
    expect(managed.json<Shown>().locations).toEqual(shelters.locations);
  });

  test('that wait are seen by their own directory alone', async () => {
    expect((await read(`${path}/${waitingId}`)).statusCode).toBe(404);
    expect((await read(`${path}/${waitingId}`, stranger)).statusCode).toBe(404);
    expect((await read(`${path}/${waitingId}`, manager)).json()).toMatchObject({ status: 'submitted' });
    expect((await list('?status=submitted', manager)).map(({ org_id }) => org_id)).toEqual([waitingId]);
    expect(await list('?status=submitted', stranger)).toEqual([]);
    expect((await read(`${path}?status=submitted`, reader)).statusCode).toBe(403);
  });

  test('are revised by their own directory alone', async () => {
    const change = (key: TestKey, payload: object) =>
      system.server.inject({ method: 'PATCH', url: `${path}/${shelterId}`, headers: key.bearer, payload });
    expect((await change(stranger, { legal_status: 'charity' })).statusCode).toBe(404);
    expect((await change(reader, { legal_status: 'charity' })).statusCode).toBe(403);
    expect((await change(manager, { name: '' })).statusCode).toBe(422);
    const answer = await change(manager, { legal_status: 'charity', year_incorporated: null });
    expect(answer.json()).toMatchObject({ org_id: shelterId, legal_status: 'charity', status: 'approved' });
    expect((await read(`${path}/${shelterId}`)).json()).not.toHaveProperty('year_incorporated');
  });

  test('are in no list of resources, and services name theirs', async () => {
    for (const url of [v1, legacy]) {
      const answer = await read(url);
      expect(answer.body).not.toContain('Zion Pantry');
    }
    expect((await read(`${v1}/${svcId}`)).json()).toMatchObject({ organization: { id: shelterId } });
  });

  test('are HSDS organizations, also by the id that they had before', async () => {
    const uuid = uuidOfOrganization(shelterId);
    const whole = (await read(`${hsds}/${uuid}`)).json<Record<string, unknown>>();
    expect(whole).toMatchObject({
      id: uuid,
      name: shelters.name,
      description: shelters.description,
      website: shelters.url,
      phones: [{ organization_id: uuid, number: '305-555-0100', extension: 7 }],
      organization_identifiers: [{ identifier_scheme: 'US-EIN', identifier: '00-1234567' }],
    });
    expect(problemsBy('organization.json')(whole)).toEqual([]);
    const before = uuidOfNamed({ name: shelters.name, url: shelters.url });
    expect((await read(`${hsds}/${before}`)).json()).toEqual(whole);
    const named = uuidOfNamed({ name: 'Named Only', url: 'https://named.example/' });
    expect((await read(`${hsds}/${named}`)).json()).toMatchObject({ id: named, name: 'Named Only' });
    expect((await read(`${hsds}/${uuidOfOrganization(waitingId)}`)).statusCode).toBe(404);
    expect((await read(`${hsds}/nothing`)).statusCode).toBe(404);
    const page = (await read(`${hsds}?per_page=1`)).json<{ contents: object[] }>();
    expect(page).toMatchObject({ total_items: 2, total_pages: 2, first_page: true, last_page: false });
    expect(page.contents).toMatchObject([{ id: uuid, description: shelters.description }]);
  });

  test('narrow down the services of HSDS', async () => {
    const services = async (id: string) =>
      (await read(`/hsds/services?organization_id=${id}`)).json<{
        contents: { name: string; organization: { description: string } }[];
      }>();
    const uuid = uuidOfOrganization(shelterId);
    for (const id of [uuid, uuidOfNamed({ name: shelters.name, url: shelters.url })])
      expect(await services(id)).toMatchObject({
        total_items: 1,
        contents: [
          { name: 'Service 1', organization_id: uuid, organization: { description: shelters.description } },
        ],
      });
    const named = uuidOfNamed({ name: 'Named Only', url: 'https://named.example/' });
    expect(await services(named)).toMatchObject({
      contents: [{ name: 'Service 2', organization_id: named }],
    });
    expect(await services('nothing')).toMatchObject({ total_items: 0, contents: [] });
    const both = await read(`/hsds/services?organization_id=${uuid}&search=pantry`);
    expect(both.statusCode).toBe(400);
  });

  test('have a page with what they offer, to which the page of a service leads', async () => {
    const page = await get(system.server, `/o/${shelterId}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<h1>Harbor Shelters</h1>');
    expect(page.body).toContain(`href="/r/${svcId}"`);
    expect(page.body).toContain('"@type":"Organization"');
    for (const secret of ['Anastasia', 'office@', 'Hidden', '305-555-0199'])
      expect(page.body, secret).not.toContain(secret);
    const record = await get(system.server, `/r/${svcId}`);
    expect(record.body).toContain(`<a href="/o/${shelterId}">Offered by Harbor Shelters</a>`);
    const spanish = await get(system.server, `/o/${shelterId}?lang=es`);
    expect(spanish.body).toContain('Lo que ofrecen');
    for (const id of [waitingId, 'o_0000000000000000'])
      expect((await get(system.server, `/o/${id}`)).statusCode, id).toBe(404);
    const index = await get(system.server, '/sitemap.xml');
    expect(index.body).toContain('/sitemap/organizations-0-1.xml');
    const sitemap = await get(system.server, '/sitemap/organizations-0-1.xml');
    expect(sitemap.body).toContain(`/o/${shelterId}</loc>`);
    expect(sitemap.body).not.toContain(waitingId);
  });

  test('that wait are approved with the first of their services', async () => {
    const waiting = await service('3', { id: waitingId, name: 'Árbol Legal Aid' }, false);
    const performed = await perform(decide, system.system, {
      who: { kind: 'operator' },
      input: { svc_id: waiting, decision: 'approve' },
      context,
    });
    expect(valueOf(performed).record.status).toBe('approved');
    const doc = await system.system.documents.collection(organizations.collection).get(waitingId);
    expect(doc?.status).toBe('approved');
    await commandResource(system.system, waiting, { kind: 'deactivate' }, context());
  });

  test('that were taken out are gone', async () => {
    const id = await made({ name: 'Closed Kitchen' });
    await commandOrganization(system.system, id, { kind: 'deactivate' }, context());
    await system.caughtUp();
    const page = await get(system.server, `/o/${id}`);
    expect(page.statusCode).toBe(410);
    expect(page.body).toContain('This organization is no longer listed');
  });

  test('with more than 500 services lead from page to page', async () => {
    const id = await made({ name: 'Large Trust' });
    const organization = { id, name: 'Large Trust' };
    await system.resources(502, {
      team: 'harbor',
      fields: (index) => ({ name: `Bed ${index}`, organization }),
    });
    await system.caughtUp();
    const named = ({ body }: { readonly body: string }) =>
      [...body.matchAll(/>(Bed \d+)</g)].map(([, name]) => name);
    const first = await get(system.server, `/o/${id}`);
    expect(first.body).toContain('More services: 2');
    const rest = await get(system.server, /href="(\/o\/[^"]*page=2)"/.exec(first.body)?.[1] ?? '');
    expect(rest.body).not.toContain('More services');
    expect(new Set([...named(first), ...named(rest)]).size).toBe(502);
  });
});
