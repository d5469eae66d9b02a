import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agencyContactId,
  askAgencyContact,
  commandAgencyContact,
  endAgencyContact,
  loadAgencyContact,
} from '../../../../src/commands/directory/upkeep/agency-contact.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../../harness.ts';

const contacts = '/dash/api/v1/agency-contacts';
const bounced = `${contacts}/bounced`;
const calls = '/dash/api/v1/agency-calls';

let now: Date | undefined;
let system: RunningSystem;
let team: TestKey;
let other: TestKey;
let ids: readonly string[] = [];
beforeAll(async () => {
  system = await startSystem({ now: () => now ?? new Date() });
  await system.team('harbour', ['directory:manage']);
  await system.team('library', ['directory:manage']);
  const scopes = ['resources:read', 'directory:manage'] as const;
  team = await system.key({ kind: 'team', team: 'harbour', scopes });
  other = await system.key({ kind: 'team', team: 'library', scopes });
  ids = await system.resources(3, {
    team: 'harbour',
    fields: (index) => ({
      name: `Pantry ${index}`,
      organization: { name: 'Harbor Pantries' },
      ...(index === 0 ? { phones: [{ number: '305-555-0100' }] } : {}),
    }),
  });
});
afterAll(() => system.stop());

const idOf = async (address: string, of = 'harbour') =>
  (await agencyContactId(system.system.personal, of, address)) ?? '';
const statusOf = async (address: string, of?: string) =>
  (await loadAgencyContact(system.system.store, await idOf(address, of)))?.status;

/** Asks a contact, some minutes after 1 December 2026. */
async function ask(address: string, minutes: number, of = 'harbour'): Promise<string> {
  const contact = await idOf(address, of);
  const mailed_at = new Date(Date.parse('2026-12-01T15:00:00Z') + minutes * 60_000).toISOString();
  const about = { contact, address, team: of, ask: randomUUID(), svc_ids: [...ids], language: 'es' };
  await askAgencyContact(system.system, { ...about, mailed_at }, context());
  return contact;
}
const get = (url: string, key: TestKey) => system.server.inject({ url, headers: key.bearer });
const report = (payload: unknown, key = team, headers: Record<string, string> = {}) =>
  system.server.inject({
    method: 'POST',
    url: bounced,
    headers: { ...key.bearer, 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

describe('contacts of agencies for keys', () => {
  test('are shown to their team with what they answered, the newest mail first', async () => {
    const first = await ask('Ana@pantry.example', 1);
    await ask('bo@pantry.example', 2);
    await ask('gone@pantry.example', 3);
    const svcId = ids[1] ?? '';
    await commandAgencyContact(system.system, first, { kind: 'answer', svcId, answer: 'yes' }, context());
    await endAgencyContact(system.system, await idOf('gone@pantry.example'), 'erase', context());
    await system.caughtUp();
    const { data } = (await get(contacts, team)).json<{ data: readonly Record<string, unknown>[] }>();
    expect(data.map(({ address, state }) => [address, state])).toEqual([
      [null, 'erased'],
      ['bo@pantry.example', 'open'],
      ['Ana@pantry.example', 'open'],
    ]);
    expect(data[2]).toEqual({
      id: first,
      address: 'Ana@pantry.example',
      state: 'open',
      unreachable: null,
      language: 'es',
      mailed_at: '2026-12-01T15:01:00.000Z',
      answered_at: expect.any(String) as string,
      records: ids.map((svc_id) => ({ svc_id, answer: svc_id === svcId ? 'yes' : null })),
    });
    const page = (await get(`${contacts}?limit=2`, team)).json<{ next_cursor: string }>();
    expect((await get(`${contacts}?limit=2&cursor=${page.next_cursor}`, team)).json()).toMatchObject({
      data: [{ id: first }],
      has_more: false,
    });
    expect((await get(contacts, other)).json()).toMatchObject({ data: [] });
    for (const path of [contacts, calls]) {
      expect((await get(path, await system.key())).statusCode).toBe(403);
      expect((await get(`${path}?limit=0`, team)).statusCode).toBe(400);
      expect((await get(`${path}?cursor=x`, team)).statusCode).toBe(400);
    }
  });
});

describe('mails that came back', () => {
  test('end the mails of one team to these addresses; the answer does not tell which are contacts', async () => {
    await ask('back@pantry.example', 4);
    await ask('back@pantry.example', 4, 'library');
    await system.caughtUp();
    const addresses = ['nobody@pantry.example', ' BACK@pantry.example', 'gone@pantry.example'];
    const told = await report({ addresses }, other);
    expect(told.json()).toEqual({ received: 3 });
    expect([await statusOf('back@pantry.example', 'library'), await statusOf('back@pantry.example')]).toEqual(
      ['unreachable', 'open'],
    );
    const first = await report({ addresses });
    const head = await system.system.store.head();
    for (const again of [
      first,
      await report({ addresses }),
      await report({ addresses: [addresses[0], 'a@b.example', 'c@d.example'] }),
    ]) {
      expect(again.statusCode).toBe(200);
      expect(again.json()).toEqual({ received: 3 });
    }
    expect(await system.system.store.head()).toBe(head);
    await system.caughtUp();
    const { data } = (await get(contacts, team)).json<{ data: readonly object[] }>();
    expect(data[0]).toMatchObject({
      address: 'back@pantry.example',
      state: 'unreachable',
      unreachable: 'bounced',
    });
    expect(await statusOf('gone@pantry.example')).toBe('erased');
  });

  test('are refused where one is no address, and then none is noted', async () => {
    await ask('kept@pantry.example', 5);
    await system.caughtUp();
    const kept = 'kept@pantry.example';
    for (const wrong of [
      {},
      [],
      null,
      { addresses: [] },
      { addresses: kept },
      { addresses: [kept, 'no address'] },
      { addresses: [kept, 7] },
      { addresses: [kept, `${'a'.repeat(300)}@pantry.example`] },
      { addresses: [kept, '\ud800@pantry.example'] },
      { addresses: Array.from({ length: 101 }, () => kept) },
      { addresses: [kept], reason: 'full' },
    ]) {
      const answer = await report(wrong);
      expect([400, 422], JSON.stringify(wrong)).toContain(answer.statusCode);
      expect(answer.body).not.toContain('no address');
      expect(answer.json<{ error: string }>().error).toMatch(/^invalid/);
    }
    expect((await report('{"addresses":')).statusCode).toBe(400);
    expect((await report({ addresses: [kept] }, team, { 'content-type': 'text/csv' })).statusCode).toBe(415);
    expect((await report({ addresses: [kept] }, await system.key())).statusCode).toBe(403);
    expect(await statusOf(kept)).toBe('open');
  });
});

interface CallPage {
  readonly data: readonly Record<string, unknown>[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

describe('whom to call, for keys', () => {
  test('is on as many pages as it takes, with phone and reason', async () => {
    expect((await get(calls, team)).json()).toEqual({ data: [], has_more: false, next_cursor: null });
    now = new Date(Date.now() + 400 * 86_400_000);
    const found: Record<string, unknown>[] = [];
    for (let url: string | undefined = `${calls}?limit=2`; url !== undefined;) {
      const page: CallPage = (await get(url, team)).json();
      expect(page.data.length).toBeLessThanOrEqual(2);
      expect(page.has_more).toBe(page.next_cursor !== null);
      found.push(...page.data);
      url = page.next_cursor === null ? undefined : `${calls}?limit=2&cursor=${page.next_cursor}`;
    }
    expect(found.map(({ svc_id }) => svc_id).sort()).toEqual([...ids].sort());
    const rowOf = (place: number) => found.find(({ svc_id }) => svc_id === ids[place]);
    expect(rowOf(0)).toEqual({
      svc_id: ids[0],
      name: 'Pantry 0',
      organization: 'Harbor Pantries',
      phone: '305-555-0100',
      confirmed_on: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
      reason: 'no-address',
    });
    expect(rowOf(1)).toMatchObject({ phone: '555-0100' });
    expect((await get(calls, other)).json()).toMatchObject({ data: [] });
  });
});
