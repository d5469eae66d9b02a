import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandApiKey } from '../../../src/commands/keys.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { registerPerson } from '../../../src/commands/accounts/person.ts';
import { subjectsOf, subjectText } from '../../../src/events/audit-subjects.ts';
import { personOf } from '../../../src/personal/personal-data.ts';
import { actorsOf } from '../../../src/projections/audit-terms.ts';
import { auditEvents } from '../../../src/projections/audit.ts';
import { projected, type ProjectedEvent } from '../../../src/projections/engine/read-model.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { isPartOfOperation } from '../../../src/events/operations.ts';
import { appendImport } from '../../support/append-import.ts';
import { get } from '../directory/read.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../harness.ts';

const path = '/audit/v1/events';

interface Shown {
  readonly id: string;
  readonly position: string;
  readonly type: string;
  readonly stream: string;
  readonly sentence: string;
  readonly team: string | null;
  readonly people: Readonly<Record<string, unknown>>;
  readonly correlation_id: string;
}
interface Page {
  readonly data: readonly Shown[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

let running: RunningSystem;
let auditor: TestKey;
let harbour: TestKey;
let ana: string;
let svcId: string;

beforeAll(async () => {
  running = await startSystem({ environment: { RATE_LIMIT_PER_MINUTE: '100000' } });
  await running.team('harbour', ['audit:read', 'directory:manage']);
  await running.team('quay', ['audit:read']);
  const { store, vault, personal } = running.system;
  const profile = { name: 'Ana Diaz' };
  const wish = { email: 'ana@example.org', password: 'a long enough passphrase 7', profile };
  ana = (await registerPerson({ store, vault, personal }, wish, context())).userId;
  await joinTeam({ store, personal }, { team: 'harbour', user: ana, role: 'reviewer' }, context());
  svcId = await running.submission('harbour');
  await running.command(svcId, { kind: 'approve' });
  await running.command(svcId, { kind: 'deactivate', reason: 'Closed' });
  await running.submission('quay');
  await running.resources(5, { team: 'quay' });
  await appendImport(store, { team: 'harbour', records: 6 });
  const leaked = await running.key({ kind: 'team', team: 'harbour', label: 'Leaked' });
  const by = { ...context(), actor: { kind: 'user', id: ana } as const };
  await commandApiKey(store, leaked.keyId, { kind: 'revoke', reason: 'leaked' }, by);
  auditor = await running.key({ kind: 'installation', scopes: ['audit:read'] });
  harbour = await running.key({ kind: 'team', team: 'harbour', scopes: ['audit:read'] });
  await running.caughtUp();
});
afterAll(() => running.stop());

const indexed = async () =>
  visible(running.system.documents, [auditEvents.collection.name], await running.system.store.head());
const ask = async (query: string, key = auditor) => {
  await indexed();
  const answer = await get(running.server, `${path}${query}`, key.bearer);
  return { status: answer.statusCode, body: answer.json<Page & { error: string; detail: string }>() };
};
const allPages = async (query: Record<string, string>, key = auditor) => {
  const shown: Shown[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await ask(
      `?${new URLSearchParams({ ...query, ...(cursor === '' ? {} : { cursor }) }).toString()}`,
      key,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    shown.push(...body.data);
    if (body.next_cursor === null) return shown;
    cursor = body.next_cursor;
  }
};
const log = async (): Promise<ProjectedEvent[]> => {
  const { events } = await running.system.store.readAll({ after: beginning, limit: 100_000 });
  return events.map(projected);
};

describe('the search of the audit log', () => {
  test('finds exactly the events that meet all conditions, in the order of the log, in pages of any size', async () => {
    const events = await log();
    const upTo = String((events.at(-1)?.position ?? 0n) + 1n);
    const some = fc.constantFrom(...events);
    const picked = fc.record(
      {
        type: some.map(({ type }) => type),
        actor: some.map(({ metadata }) => actorsOf(metadata.actor)[0] ?? ''),
        subject: some.map((event) => {
          const [first] = subjectsOf(event);
          return first ? subjectText(first) : '';
        }),
        stream: some.map(({ stream }) => stream),
        correlation: some.map(({ metadata }) => metadata.correlation_id),
        from: some.map(({ metadata }) => metadata.at),
        after: some.map(({ position }) => String(position)),
        parts: fc.constantFrom('true', 'false'),
      },
      { requiredKeys: [] },
    );
    // A stream alone is read without the terms of the index.
    const ofStream: typeof picked = fc.record(
      {
        stream: some.map(({ stream }) => stream),
        after: some.map(({ position }) => String(position)),
        parts: fc.constantFrom('true', 'false'),
      },
      { requiredKeys: ['stream'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 3, arbitrary: picked }, { weight: 1, arbitrary: ofStream }),
        fc.constantFrom('1', '3', '100'),
        fc.boolean(),
        async (given, limit, newest) => {
          const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
          const isWanted = (event: ProjectedEvent) =>
            (given.type === undefined || event.type === given.type) &&
            (given.actor === undefined || actorsOf(event.metadata.actor).includes(given.actor)) &&
            (!wanted['subject'] || subjectsOf(event).map(subjectText).includes(wanted['subject'])) &&
            (given.stream === undefined || event.stream === given.stream) &&
            (given.correlation === undefined || event.metadata.correlation_id === given.correlation) &&
            (given.from === undefined || event.metadata.at >= given.from) &&
            (given.parts !== 'false' || !isPartOfOperation(event)) &&
            (given.after === undefined || event.position > BigInt(given.after));
          const found = events.filter(isWanted).map(({ id }) => id);
          if (given.after !== undefined && BigInt(given.after) + 1n >= BigInt(upTo)) return;
          const shown = await allPages({
            ...wanted,
            before: upTo,
            limit,
            order: newest ? 'newest' : 'oldest',
          });
          expect(shown.map(({ id }) => id)).toEqual(newest ? found.reverse() : found);
        },
      ),
      { numRuns: 55 },
    );
  });

  test('shows a team its own events alone, also those that do not name it', async () => {
    const shown = await allPages({ limit: '100' }, harbour);
    expect(new Set(shown.map(({ team }) => team))).toEqual(new Set(['harbour']));
    const types = shown.map(({ type }) => type);
    for (const type of ['TeamCreated', 'ResourceDeactivated', 'ApiKeyRevoked', 'MemberJoined'])
      expect(types, type).toContain(type);
    expect(types).not.toContain('UserRegistered');
    const everything = await allPages({ limit: '100' });
    const [other] = everything.filter(({ team }) => team === 'quay');
    expect((await get(running.server, `${path}/${other?.id ?? ''}`, harbour.bearer)).statusCode).toBe(404);
    expect((await get(running.server, `${path}/${other?.id ?? ''}`, auditor.bearer)).statusCode).toBe(200);
  });

  test('leaves out the parts of an import where it is asked to, and a question without them is another', async () => {
    const all = await allPages({ limit: '100' }, harbour);
    const without = await allPages({ limit: '100', parts: 'false' }, harbour);
    const isPart = ({ sentence }: Shown) => /Imported \d/.test(sentence);
    expect(all.filter(isPart)).toHaveLength(12);
    expect(all.filter(({ stream }) => stream.startsWith('import-'))).toHaveLength(2);
    expect(without.filter(isPart)).toEqual([]);
    expect(without.map(({ type }) => type)).toContain('ResourceApproved');
    const begun = without.filter(({ stream }) => stream.startsWith('import-'));
    expect(begun.map(({ sentence }) => sentence)).toEqual([
      'An operator imported from county into the directory of harbour: 6 new.',
    ]);
    const { next_cursor: cursor } = (await ask('?limit=1', harbour)).body;
    const other = await ask(`?limit=1&parts=false&cursor=${cursor ?? ''}`, harbour);
    expect(other.body.detail).toContain('another question');
  });

  test('says each event in a sentence, with the names that the reader may see', async () => {
    const revoked = `?type=ApiKeyRevoked`;
    const sentence = 'Ana Diaz revoked the key Leaked: “leaked”.';
    expect((await ask(revoked)).body.data[0]?.sentence).toBe(sentence);
    const [own] = (await ask(revoked, harbour)).body.data;
    expect(own?.sentence).toBe(sentence);
    expect(own?.people).toEqual({ [ana]: { name: 'Ana Diaz' } });
    const quay = await running.key({ kind: 'team', team: 'quay', scopes: ['audit:read'] });
    expect((await ask(revoked, quay)).body.data).toEqual([]);
  });

  test('records who asked what before it answers, and a team sees who read its log', async () => {
    await ask(`?subject=resource:${svcId}`, harbour);
    await indexed();
    const [asked] = (await ask('?type=AuditQueried', harbour)).body.data;
    expect(asked).toMatchObject({
      team: 'harbour',
      data: { question: 'events', filter: { subject: `resource:${svcId}`, team: 'harbour' } },
      actor: { kind: 'key', id: harbour.keyId },
    });
  });

  test.each([
    ['?type=ResourceAproved', 'did you mean ResourceApproved'],
    ['?type=x', 'docs/events.md'],
    ['?from=2999-01-01T00:00:00Z', 'from is in the future'],
    ['?from=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', 'until must be later than from'],
    ['?from=yesterday', 'must be a time in UTC'],
    ['?subject=person:site_abcdefgh', 'names no person: its id must be a UUID'],
    ['?subject=key:b2b2b2b2-0000-4000-8000-000000000001', 'names no key'],
    ['?subject=nobody', 'kinds are installation, person'],
    ['?actor=robot:1', 'must be user, key, client or system'],
    ['?actor=user:ana', 'names no user'],
    ['?stream=whatever', 'is no stream'],
    ['?correlation=1', 'correlation must be'],
    ['?after=9&before=10', 'before must be higher than after'],
    ['?after=99999999999999999', 'after must be a position'],
    ['?parts=some', 'parts must be true or false'],
    ['?order=best', 'order must be newest or oldest'],
    ['?limit=0', 'limit must be at least 1'],
    ['?actor=system:cli&actor=system:cli', 'more than once'],
    ['?who=me', 'There is no parameter "who"'],
    ['?cursor=abc', 'was not given out by this list'],
  ])('refuses %s in words', async (query, words) => {
    const { status, body } = await ask(query);
    expect(status).toBe(400);
    expect(body.detail).toContain(words);
  });

  test('takes a cursor for the same question of the same reader alone', async () => {
    const { next_cursor: cursor } = (await ask('?limit=1&order=oldest')).body;
    const of = (query: string, key = auditor) => ask(`?cursor=${cursor ?? ''}&limit=1${query}`, key);
    expect((await of('&order=oldest')).status).toBe(200);
    expect((await of('')).body.detail).toContain('another question');
    expect((await of('&order=oldest&type=TeamCreated')).body.detail).toContain('another question');
    expect((await of('&order=oldest', harbour)).status).toBe(400);
  });

  test('follows a request as a tree, by its id or that of one of its events', async () => {
    await indexed();
    const [created] = await allPages({ type: 'ApiKeyRevoked' });
    const url = (id: string) => `/audit/v1/correlations/${id}`;
    const tree = await get(running.server, url(created?.correlation_id ?? ''), auditor.bearer);
    expect(tree.statusCode).toBe(200);
    expect(tree.json()).toMatchObject({
      correlation_id: created?.correlation_id,
      events: 1,
      truncated: false,
      roots: [{ id: created?.id, cause: { kind: 'request' }, effects: [] }],
    });
    const byEvent = await get(running.server, url(created?.id ?? ''), auditor.bearer);
    expect(byEvent.json()).toEqual(tree.json());
    expect((await get(running.server, url(randomUUID()), auditor.bearer)).statusCode).toBe(404);
    expect((await get(running.server, url('x'), auditor.bearer)).statusCode).toBe(400);
  });

  test('says that a person is erased', async () => {
    await running.system.personal.erase(personOf(ana));
    const [revoked] = (await ask('?type=ApiKeyRevoked')).body.data;
    expect(revoked?.sentence).toBe('An erased person revoked the key Leaked: “leaked”.');
    expect(revoked?.people).toEqual({ [ana]: { erased: true } });
  });

  test('refuses keys without the scope', async () => {
    const developer = await running.key();
    expect((await ask('', developer)).status).toBe(403);
  });
});
