import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/commands/keys.ts';
import { keyKind } from '../../src/events/keys.ts';
import { execute, load } from '../../src/commands/command-handler.ts';
import { keyIdOf, newKey, parseKey, sha256Of } from '../../src/events/keys-format.ts';
import { importResource } from '../../src/commands/directory/import-record.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { resource } from '../../src/commands/directory/resource-decider.ts';
import {
  commandSubscription,
  createSubscription,
  rotateSecret,
  secretName,
  subscription,
} from '../../src/commands/webhooks/subscription.ts';
import { ConcurrencyConflict } from '../../src/ground/refusals.ts';
import { commandTeam, team } from '../../src/commands/teams/team.ts';
import { integerId, integerOfSvcId, svcIdOf, uuidOf } from '../../src/events/ids.ts';
import { metadata } from '../../src/events/metadata.ts';
import type { ImpersonalFields } from '../../src/events/directory/resource-fields.ts';
import { newEvent } from '../../src/events/new-event.ts';
import type { RecordedEvent } from '../../src/stores/event-store/port.ts';
import { conflicting } from '../support/conflicting.ts';
import { aCommand } from '../support/context.ts';
import { aResource, pantryFields } from '../support/samples.ts';
import { dataFolder, installation, type DataFolder, type Stores } from '../support/stores.ts';

let folder: DataFolder;
let stores: Stores;

beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
});
afterEach(() => folder.dispose());

const submit = (fields: ImpersonalFields = pantryFields, context = aCommand()) =>
  submitResource(stores, { team: 'harbour', fields }, context);

const streamOf = (svcId: string) => stores.store.readStream(`resource-${svcId}`);
const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const times = <Value>(count: number, make: (n: number) => Value): Value[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe('a command', () => {
  it('is decided from the stream, and what it decides is appended', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    const approving = await commandResource(stores, svcId, { kind: 'approve' }, aCommand());
    expect(approving).toMatchObject({
      repeated: false,
      state: { status: 'approved' },
      events: [{ type: 'ResourceApproved' }],
    });
    expect(typesOf(await streamOf(svcId))).toEqual(['ResourceSubmitted', 'ResourceApproved']);
    expect(approving.position).toBe(await stores.store.head());
    expect(await load(stores.store, resource, svcId)).toEqual({
      state: approving.state,
      position: approving.position,
      revision: 1,
    });
  });

  it('that finds all done appends nothing, and answers the position that shows it', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    const first = await commandResource(stores, svcId, { kind: 'approve' }, aCommand());
    await submit();
    const again = await commandResource(stores, svcId, { kind: 'approve' }, aCommand());
    expect(again).toMatchObject({ events: [], repeated: false, position: first.position });
  });

  it('answers with the fields as they are stored', async () => {
    const { state, events } = await submit({ name: '  Harbour Pantry ', category: 'food' });
    expect(state?.fields.name).toBe('Harbour Pantry');
    expect(events).toMatchObject([{ data: { fields: { name: 'Harbour Pantry' } } }]);
  });

  it('that loses a race is decided anew', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    // Between this command's reading and its appending, somebody rejects.
    let interfered = false;
    const store = Object.create(stores.store) as typeof stores.store;
    store.append = async (...appending) => {
      if (!interfered) {
        interfered = true;
        await commandResource(stores, svcId, { kind: 'reject', reason: 'No.' }, aCommand());
      }
      return stores.store.append(...appending);
    };
    store.readStream = (...reading) => stores.store.readStream(...reading);
    await expect(
      commandResource({ ...stores, store }, svcId, { kind: 'reject', reason: 'Mine.' }, aCommand()),
    ).resolves.toMatchObject({
      events: [],
      state: { status: 'rejected' },
    });
    expect(typesOf(await streamOf(svcId))).toEqual(['ResourceSubmitted', 'ResourceRejected']);
  });

  it('that meets nothing but conflicts gives up after a handful of tries, with a sentence for a person', async () => {
    const { state } = await submit();
    const contended = conflicting(stores.store, 'resource-');
    const revising = commandResource(
      { ...stores, store: contended.store },
      state?.svc_id ?? '',
      { kind: 'revise', change: { city: 'Elsewhere' } },
      aCommand(),
    );
    await expect(revising).rejects.toBeInstanceOf(ConcurrencyConflict);
    await expect(revising).rejects.toThrow('nothing was changed. Try again in a moment.');
    expect(contended.conflicts).toBeGreaterThanOrEqual(5);
    expect(contended.conflicts).toBeLessThanOrEqual(8);
    expect(typesOf(await streamOf(state?.svc_id ?? ''))).toEqual(['ResourceSubmitted']);
  });

  it('that is refused appends nothing', async () => {
    const head = await stores.store.head();
    await expect(commandResource(stores, svcIdOf(1), { kind: 'approve' }, aCommand())).rejects.toMatchObject({
      code: 'not_found',
      status: 404,
    });
    expect(await stores.store.head()).toBe(head);
  });
});

describe('fifty racers', () => {
  it('who approve and reject one resource come to exactly one decision that all agree on', async () => {
    for (let round = 0; round < 5; round++) {
      const { state } = await submit();
      const svcId = state?.svc_id ?? '';
      const racing = times(50, (n) =>
        commandResource(
          stores,
          svcId,
          n % 2 ? { kind: 'approve' } : { kind: 'reject', reason: `No (${n}).` },
          aCommand(),
        ),
      );
      const outcomes = await Promise.allSettled(racing);
      const history = typesOf(await streamOf(svcId));
      // A rejected submission may still be approved; an approved one is never rejected.
      expect([
        ['ResourceSubmitted', 'ResourceApproved'],
        ['ResourceSubmitted', 'ResourceRejected', 'ResourceApproved'],
      ]).toContainEqual(history);
      const deciding = outcomes.filter((each) => each.status === 'fulfilled' && each.value.events.length > 0);
      expect(deciding).toHaveLength(history.length - 1);
      for (const each of outcomes) {
        if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'conflict' });
      }
    }
  });

  it('in two processes who deactivate one resource deactivate it once', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    await commandResource(stores, svcId, { kind: 'approve' }, aCommand());
    const other = folder.open();
    const outcomes = await Promise.all(
      times(50, (n) =>
        commandResource(n % 2 ? other : stores, svcId, { kind: 'deactivate', reason: `${n}.` }, aCommand()),
      ),
    );
    expect(outcomes.filter(({ events }) => events.length > 0)).toHaveLength(1);
    expect(typesOf(await streamOf(svcId))).toEqual([
      'ResourceSubmitted',
      'ResourceApproved',
      'ResourceDeactivated',
    ]);
  });

  it('who all have something to say are all heard', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    await Promise.all(
      times(50, (n) =>
        commandResource(stores, svcId, { kind: 'revise', change: { city: `City ${n}` } }, aCommand()),
      ),
    );
    const cities = (await streamOf(svcId))
      .slice(1)
      .map((event) => (event.data as { fields: ImpersonalFields }).fields.locations?.[0]?.city);
    expect(new Set(cities)).toEqual(new Set(times(50, (n) => `City ${n}`)));
    expect(cities).toHaveLength(50);
  });

  it('who send the same command make it happen once, and hear the same', async () => {
    const context = aCommand({ requestHash: 'one' });
    const outcomes = await Promise.all(times(50, () => submit(pantryFields, context)));
    const [first] = outcomes;
    expect(await streamOf(first?.state?.svc_id ?? '')).toHaveLength(1);
    for (const each of outcomes) {
      expect(each.events).toEqual(first?.events);
      expect(each.state).toEqual(first?.state);
    }
    expect(await stores.store.count({ after: -1n, filter: { types: ['ResourceSubmitted'] } })).toBe(1);
  });

  it('who send different requests under one command id: one is done, the others are told so', async () => {
    const context = aCommand();
    const outcomes = await Promise.allSettled(
      times(50, (n) =>
        submit({ ...pantryFields, name: `Pantry ${n}` }, { ...context, requestHash: `request ${n}` }),
      ),
    );
    const done = outcomes.filter((each) => each.status === 'fulfilled');
    const refused = outcomes.filter((each) => each.status === 'rejected');
    expect(done).toHaveLength(1);
    expect(refused.map((each) => (each.reason as { code: string }).code)).toEqual(
      times(49, () => 'idempotency_key_reused'),
    );
    const [event] = await streamOf(done[0]?.value.state?.svc_id ?? '');
    expect(event?.data).toMatchObject({ fields: done[0]?.value.state?.fields });
  });

  it('who create one key by the same command: whoever is shown a key is shown the one that works', async () => {
    const context = aCommand({ requestHash: 'one' });
    const outcomes = await Promise.all(
      times(50, () =>
        createApiKey(
          stores,
          { kind: 'developer', scopes: ['resources:read'], domains: [] },
          crypto.getRandomValues(new Uint8Array(32)),
          context,
        ),
      ),
    );
    const [event, ...more] = await stores.store.readStream(`api-key-${keyIdOf(context.commandId)}`);
    expect(more).toEqual([]);
    const shown = outcomes.flatMap(({ key }) => (key === undefined ? [] : [key]));
    expect(shown).toHaveLength(1);
    expect(sha256Of(shown[0] ?? '')).toBe((event?.data as { secret_sha256: string }).secret_sha256);
  });
});

describe('a command that begins a stream', () => {
  /** The store, and what was asked of it. */
  const watched = () => {
    const asked: string[] = [];
    const store = new Proxy(stores.store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...words: unknown[]) => {
          asked.push(String(name));
          return Reflect.apply(member, target, words) as unknown;
        };
      },
    });
    return { store, asked };
  };

  it('asks the store once, and knows its team from the time before', async () => {
    const { store, asked } = watched();
    const wish = { team: 'harbour', fields: pantryFields };
    await submitResource({ ...stores, store }, wish, aCommand());
    expect(asked).toEqual(['readStream', 'append']);
    const { state, position } = await submitResource({ ...stores, store }, wish, aCommand());
    expect(asked.slice(2)).toEqual(['append']);
    expect(await load(stores.store, resource, state?.svc_id ?? '')).toEqual({ state, position, revision: 0 });
  });

  it('looks first when its id is a caller’s own', async () => {
    const { store, asked } = watched();
    await submitResource(
      { ...stores, store },
      { team: 'harbour', fields: pantryFields },
      aCommand({ requestHash: 'one' }),
    );
    expect(asked.slice(1)).toEqual(['readStream', 'append', 'readStream']);
  });

  it('is decided anew, like any whose stream has gone on since it was seen', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    const seen = await load(stores.store, resource, svcId);
    await commandResource(stores, svcId, { kind: 'approve' }, aCommand());
    const { store, asked } = watched();
    const late = await execute(store, resource, svcId, { kind: 'approve' }, aCommand(), {
      from: seen,
    });
    expect(late).toMatchObject({ events: [], state: { status: 'approved' } });
    expect(asked).toEqual(['append', 'readStream']);
    const known = await load(stores.store, resource, svcId);
    asked.length = 0;
    const next = await execute(store, resource, svcId, { kind: 'deactivate' }, aCommand(), {
      from: known,
    });
    expect(next).toMatchObject({ repeated: false, state: { status: 'inactive' } });
    expect(asked).toEqual(['append']);
    expect(await load(stores.store, resource, svcId)).toMatchObject({ state: next.state, revision: 2 });
  });

  it('is decided from what is there when the stream has begun after all', async () => {
    const { store, asked } = watched();
    const again = commandTeam(store, { kind: 'create', team: 'harbour', name: 'Another' }, aCommand());
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
    expect(asked).toEqual(['append', 'readStream']);
  });
});

describe('a repeated command', () => {
  it('gets the first result, whatever has happened since', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    const approve = aCommand();
    const first = await commandResource(stores, svcId, { kind: 'approve' }, approve);
    await commandResource(stores, svcId, { kind: 'deactivate' }, aCommand());
    const again = await commandResource(stores, svcId, { kind: 'approve' }, approve);
    expect(again).toMatchObject({ repeated: true, state: first.state, events: first.events });
    expect(again.position).toBe(await stores.store.head());
    expect(await streamOf(svcId)).toHaveLength(3);
  });

  it('gets the first result from another process', async () => {
    const context = aCommand({ requestHash: 'one' });
    const first = await submit(pantryFields, context);
    const other = folder.open();
    const again = await submitResource(other, { team: 'harbour', fields: pantryFields }, context);
    expect(again).toMatchObject({ repeated: true, state: first.state, events: first.events });
  });

  it('is refused when it asks for something else under the same id', async () => {
    const context = aCommand({ requestHash: 'one' });
    const { state } = await submit(pantryFields, context);
    await expect(
      submit({ ...pantryFields, name: 'Other' }, { ...context, requestHash: 'two' }),
    ).rejects.toMatchObject({
      code: 'idempotency_key_reused',
      status: 422,
    });
    await expect(submit(pantryFields, { ...context, requestHash: 'one' })).resolves.toMatchObject({
      repeated: true,
    });
    expect(await streamOf(state?.svc_id ?? '')).toHaveLength(1);
  });

  it('of several events gets all of them again', async () => {
    const record = {
      team: 'harbour',
      source: { system: 's', id: '1' },
      fields: pantryFields,
      active: true,
      approve: true,
    };
    const context = aCommand();
    const first = await importResource(stores, record, context);
    expect(typesOf(first.events)).toEqual(['ResourceSubmitted', 'ResourceApproved']);
    await commandResource(stores, first.state?.svc_id ?? '', { kind: 'deactivate' }, aCommand());
    const again = await importResource(stores, record, context);
    expect(again).toMatchObject({ repeated: true, events: first.events, state: first.state });
  });
});

describe('an appended event', () => {
  it('has an id that follows from its command, its stream and its place', async () => {
    const record = {
      team: 'harbour',
      source: { system: 's', id: '1' },
      fields: pantryFields,
      active: true,
      approve: true,
    };
    const context = aCommand();
    const { state } = await importResource(stores, record, context);
    const stream = `resource-${state?.svc_id ?? ''}`;
    const events = await stores.store.readStream(stream);
    expect(events.map(({ id }) => id)).toEqual([
      uuidOf(context.commandId, stream, '0'),
      uuidOf(context.commandId, stream, '1'),
    ]);
    expect(events.map(({ id }) => id)).not.toContain(uuidOf(context.commandId, `${stream}0`, ''));
  });

  it('says who did it, when, by which command and in which connection', async () => {
    const context = aCommand({
      actor: { kind: 'key', id: 'AAAAAAAAAAAA', on_behalf_of: 'harbour' },
      at: new Date('2026-03-04T05:06:07.089Z'),
      correlationId: randomUUID(),
      causationId: randomUUID(),
      requestHash: 'abc',
    });
    const { state } = await submit(pantryFields, context);
    const [event] = await streamOf(state?.svc_id ?? '');
    expect(event?.metadata).toStrictEqual({
      commonweal_schema: 2,
      actor: { kind: 'key', id: 'AAAAAAAAAAAA', on_behalf_of: 'harbour' },
      command_id: context.commandId,
      correlation_id: context.correlationId,
      causation_id: context.causationId,
      at: '2026-03-04T05:06:07.089Z',
      request_hash: 'abc',
      installation,
    });
  });

  it('begins a connection of its own when none is given', async () => {
    const context = aCommand();
    const { state } = await submit(pantryFields, context);
    const [event] = await streamOf(state?.svc_id ?? '');
    expect(event?.metadata).toMatchObject({
      correlation_id: context.commandId,
      causation_id: context.commandId,
    });
  });

  it('has metadata that its schema accepts, whatever the command', async () => {
    await createSubscription(
      stores,
      { team: 'harbour', url: 'https://example.org/', events: ['resource.approved'] },
      'whsec_x',
      aCommand(),
    );
    await commandTeam(
      stores.store,
      { kind: 'enable-scopes', team: 'harbour', scopes: ['audit:read'] },
      aCommand(),
    );
    await createApiKey(
      stores,
      { kind: 'developer', scopes: ['resources:read'], domains: [] },
      new Uint8Array(32),
      aCommand(),
    );
    await submit(pantryFields, aCommand({ requestHash: 'x' }));
    const { events } = await stores.store.readAll({ after: -1n, limit: 100 });
    expect(events).toHaveLength(5);
    for (const event of events)
      expect(metadata.safeParse(event.metadata).error?.issues ?? [], event.type).toEqual([]);
  });
});

describe('what cannot be an event', () => {
  const invalid: readonly (readonly [string, unknown, RegExp])[] = [
    ['no name', { category: 'food' }, /fields\.name/],
    ['a blank name', { name: ' \t ', category: 'food' }, /fields\.name: must not be empty/],
    ['a category that is none', { name: 'x', category: 'people' }, /fields\.category: must be one of/],
    ['an unknown field', { name: 'x', category: 'food', fax: '1' }, /fields/],
    ['a URL that is none', { name: 'x', category: 'food', url: 'javascript:alert(1)' }, /fields\.url/],
    [
      'an endless description',
      { name: 'x', category: 'food', description: 'x'.repeat(10_001) },
      /fields\.description/,
    ],
    [
      'a lone high surrogate',
      { name: 'a\ud800b', category: 'food' },
      /fields\.name: contains ill-formed Unicode/,
    ],
    [
      'a lone low surrogate',
      { name: 'x', category: 'food', city: '\udc00' },
      /fields\.locations\.0\.city: contains ill-formed/,
    ],
    ['surrogates the wrong way round', { name: '\udfff\ud83c', category: 'food' }, /ill-formed Unicode/],
    [
      'a lone surrogate deep inside',
      { name: 'x', category: 'food', languages: ['ok', '\ud83c'] },
      /languages\.1/,
    ],
    ['a NUL', { name: 'a\0b', category: 'food' }, /fields\.name: contains a NUL character/],
  ];
  it.each(invalid)(
    'is refused, naming the field, and nothing is appended: %s',
    async (_, fields, message) => {
      const head = await stores.store.head();
      const submitting = submit(fields as ImpersonalFields);
      await expect(submitting).rejects.toMatchObject({
        name: 'InvalidEvent',
        message: expect.stringMatching(message) as string,
      });
      expect(await stores.store.head()).toBe(head);
    },
  );

  it('has none of its good events appended beside the bad one', async () => {
    const { state } = await submit();
    const svcId = state?.svc_id ?? '';
    const twice = {
      ...resource,
      decide: () => [aResource().revised(pantryFields), aResource().revised({ name: '', category: 'food' })],
    };
    await expect(execute(stores.store, twice, svcId, { kind: 'approve' }, aCommand())).rejects.toMatchObject({
      name: 'InvalidEvent',
    });
    expect(await streamOf(svcId)).toHaveLength(1);
  });

  it('takes whole surrogate pairs, and every script', async () => {
    const name = '🏠 Ünïversity مطبخ 厨房';
    const { state } = await submit({ name, category: 'food' });
    expect((await streamOf(state?.svc_id ?? ''))[0]?.data).toMatchObject({ fields: { name } });
  });

  it.each([
    ['an actor of ill-formed Unicode', { actor: { kind: 'user', id: '\ud800' } }],
    ['an actor of no known kind', { actor: { kind: 'robot' as 'user', id: 'x' } }],
    ['a command id that is no UUID', { commandId: 'my-key' }],
    ['a correlation that is no UUID', { correlationId: 'x' }],
  ] as const)('is refused for its metadata: %s', async (_, context) => {
    const head = await stores.store.head();
    await expect(submit(pantryFields, aCommand(context))).rejects.toMatchObject({ name: 'InvalidEvent' });
    expect(await stores.store.head()).toBe(head);
  });

  it('is an event of no stream', () => {
    const event = { type: 'TeamSold', data: {} } as unknown as Parameters<typeof newEvent>[1];
    expect(() => newEvent('team-x', event, 0, aCommand())).toThrow(/TeamSold is in no stream/);
  });
});

describe('a svc_id', () => {
  const anId = fc.integer({ min: 1, max: 2 ** 52 - 1 });

  it('is r_ and 16 hex digits, and gives back its integer', () => {
    fc.assert(
      fc.property(anId, (id) => {
        expect(svcIdOf(id)).toMatch(/^r_[0-9a-f]{16}$/);
        expect(integerOfSvcId(svcIdOf(id))).toBe(id);
      }),
    );
  });

  it('holds its integer in the last 13 digits, above them the checksum', () => {
    const sum = createHash('sha256').update('svc_id:00000000000ff').digest('hex').slice(0, 3);
    expect(svcIdOf(255)).toBe(`r_${sum}00000000000ff`);
  });

  it('is refused without asking a store when it is none, or its checksum is wrong', () => {
    const good = svcIdOf(123_456);
    const wrong = (Number.parseInt(good.slice(2, 5), 16) ^ 1).toString(16).padStart(3, '0');
    for (const bad of [
      '',
      'r_',
      good.slice(0, -1),
      `${good}0`,
      good.toUpperCase(),
      ` ${good}`,
      `${good}\n`,
      good.replace('r_', 's_'),
      `r_${wrong}${good.slice(5)}`,
      'r_zzzzzzzzzzzzzzzz',
    ]) {
      expect(integerOfSvcId(bad), JSON.stringify(bad)).toBeUndefined();
    }
  });

  it('drawn by a command is a 52-bit integer that JSON keeps exact, never 0, and always the same', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), (commandId, draw) => {
        const id = integerId('submission', commandId, String(draw));
        expect(Number.isSafeInteger(id) && id >= 1 && id < 2 ** 52).toBe(true);
        expect(JSON.parse(JSON.stringify(id))).toBe(id);
        expect(integerId('submission', commandId, String(draw))).toBe(id);
      }),
    );
  });

  it('is drawn again when the number is taken, and by a repeat again to the same', async () => {
    const context = aCommand({ requestHash: 'one' });
    const draws = times(3, (draw) => integerId('submission', context.commandId, String(draw)));
    for (const id of draws.slice(0, 2)) await occupy(id);
    const { state } = await submit(pantryFields, context);
    expect(state).toMatchObject({ id: draws[2], svc_id: svcIdOf(draws[2] ?? 0) });
    expect(await submit(pantryFields, context)).toMatchObject({ repeated: true, state });
    for (const id of draws.slice(0, 2)) expect(await streamOf(svcIdOf(id))).toHaveLength(1);
  });

  it('of a new resource is needed for a team that exists', async () => {
    const submitting = submitResource(stores, { team: 'nowhere', fields: pantryFields }, aCommand());
    await expect(submitting).rejects.toMatchObject({ code: 'not_found' });
  });

  /** Another resource that has drawn this number before. */
  async function occupy(id: number, source?: { system: string; id: string }) {
    const other = aResource(id, 'harbour');
    const stream = `resource-${other.svc_id}`;
    const event = newEvent(stream, other.submitted(source ? { source } : {}), 0, aCommand());
    await stores.store.append(stream, [event], 'no_stream');
  }

  describe('of an imported record', () => {
    const record = (id: string, rest: object = {}) => ({
      team: 'harbour',
      source: { system: 'miami', id },
      fields: pantryFields,
      active: true,
      approve: true,
      ...rest,
    });
    const numberOf = (id: string, draw = 0) => integerId('import', 'harbour', 'miami', id, String(draw));

    it('follows from its team, its system and its id there', async () => {
      const { state } = await importResource(stores, record('1'), aCommand());
      expect(state?.id).toBe(numberOf('1'));
      const other = await importResource(stores, record('1', { team: 'elsewhere' }), aCommand());
      expect(other.state?.id).not.toBe(numberOf('1'));
    });

    it('is found again by the next import, which changes nothing', async () => {
      await importResource(stores, record('1'), aCommand());
      const head = await stores.store.head();
      const again = await importResource(stores, record('1'), aCommand());
      expect(again).toMatchObject({ events: [], repeated: false, state: { status: 'approved' } });
      expect(await stores.store.head()).toBe(head);
    });

    it('is found again though the source writes blanks around its words', async () => {
      const fields = { ...pantryFields, name: 'Harbour Pantry ' };
      await importResource(stores, record('1', { fields }), aCommand());
      const again = await importResource(stores, record('1', { fields }), aCommand());
      expect(again.events).toEqual([]);
    });

    it('is the next of its draws where another record has the number, and stays so', async () => {
      await occupy(numberOf('1', 0), { system: 'miami', id: '2' });
      await occupy(numberOf('1', 1));
      const first = await importResource(stores, record('1'), aCommand());
      expect(first.state?.id).toBe(numberOf('1', 2));
      const changed = record('1', { fields: { ...pantryFields, name: 'Bay Pantry' } });
      const second = await importResource(stores, changed, aCommand());
      expect(second).toMatchObject({
        state: { id: numberOf('1', 2) },
        events: [{ type: 'ResourceRevised' }],
      });
      for (const draw of [0, 1]) expect(await streamOf(svcIdOf(numberOf('1', draw)))).toHaveLength(1);
    });

    it('is one, however many import the record at once', async () => {
      const other = folder.open();
      const outcomes = await Promise.all(
        times(20, (n) => importResource(n % 2 ? stores : other, record('1'), aCommand())),
      );
      expect(outcomes.filter(({ events }) => events.length > 0)).toHaveLength(1);
      expect(await streamOf(svcIdOf(numberOf('1')))).toHaveLength(2);
    });
  });
});

describe('an API key', () => {
  const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const aKey = fc.tuple(fc.constantFrom(...keyKind.options), fc.uuid(), random);
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_';

  it('says its kind by its prefix, and which key it is', () => {
    fc.assert(
      fc.property(aKey, ([kind, commandId, bytes]) => {
        const key = newKey(kind, keyIdOf(commandId), bytes);
        const prefix = { developer: 'api_pk_', team: 'api_tk_', installation: 'api_ik_' }[kind];
        expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{50}$`));
        expect(parseKey(key)).toEqual({ kind, keyId: keyIdOf(commandId), sha256: sha256Of(key) });
      }),
    );
  });

  it('with any single character changed is refused', () => {
    const character = fc.oneof(
      fc.constantFrom(...Array.from(alphabet)),
      fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
    );
    fc.assert(
      fc.property(aKey, fc.nat({ max: 56 }), character, ([kind, commandId, bytes], place, other) => {
        const key = newKey(kind, keyIdOf(commandId), bytes);
        fc.pre(key[place] !== other);
        expect(parseKey(key.slice(0, place) + other + key.slice(place + 1))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it('with something missing, added or exchanged is refused', () => {
    const key = newKey('developer', keyIdOf(randomUUID()), crypto.getRandomValues(new Uint8Array(32)));
    const swapped = `${key.slice(0, 20)}${key[21] ?? ''}${key[20] ?? ''}${key.slice(22)}`;
    const bad = [
      '',
      'api_pk_',
      key.slice(1),
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toLowerCase(),
    ];
    for (const each of swapped === key ? bad : [...bad, swapped])
      expect(parseKey(each), each).toBeUndefined();
  });

  it('leaves nothing but its SHA-256 in the store', async () => {
    const { key, keyId } = await createApiKey(
      stores,
      { kind: 'developer', label: 'A label to be found', scopes: ['resources:read'], domains: [] },
      crypto.getRandomValues(new Uint8Array(32)),
      aCommand({ actor: { kind: 'system', id: 'cli' } }),
    );
    const secret = key?.slice('api_pk_'.length + keyId.length) ?? 'missing';
    const bytes = bytesOf('events.db');
    // What is looked for would be found if it were there: its neighbours are.
    expect(bytes.includes('A label to be found')).toBe(true);
    expect(bytes.includes(sha256Of(key ?? ''))).toBe(true);
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes(secret.slice(0, -6))).toBe(false);
  });

  it('is shown once: a repeat of the command names the key and does not show it', async () => {
    const context = aCommand();
    const create = () =>
      createApiKey(
        stores,
        { kind: 'developer', scopes: ['resources:read'], domains: [] },
        crypto.getRandomValues(new Uint8Array(32)),
        context,
      );
    const first = await create();
    const again = await create();
    expect(parseKey(first.key ?? '')).toMatchObject({ keyId: again.keyId });
    expect(again.key).toBeUndefined();
    expect(again.outcome.repeated).toBe(true);
  });
});

describe('the secret of a subscription', () => {
  const wish = { team: 'harbour', url: 'https://example.org/hook', events: ['resource.approved'] } as const;
  const aSecret = () => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  const create = (context = aCommand(), secret = aSecret()) =>
    createSubscription(stores, wish, secret, context);
  const rotate = (id: string, context = aCommand(), secret = aSecret()) =>
    rotateSecret(stores, id, secret, context);
  const historyOf = (id: string) => stores.store.readStream(`webhook-subscription-${id}`);
  const namedBy = (event: RecordedEvent | undefined) => (event?.data as { secret_id: string }).secret_id;

  /** The vault has the secret that the newest event names, and no other of this subscription. */
  async function expectOnly(id: string, secret: string | undefined) {
    const name = secretName(id, namedBy((await historyOf(id)).at(-1)));
    expect(await stores.vault.names('webhook-secret/')).toEqual([name]);
    expect(Buffer.from((await stores.vault.get(name)) ?? []).toString()).toBe(secret);
  }

  it('is kept in the vault under the name that the event says, and shown', async () => {
    const { subscriptionId, secret } = await create(aCommand(), 'whsec_mine');
    expect(secret).toBe('whsec_mine');
    await expectOnly(subscriptionId, 'whsec_mine');
  });

  it('is not shown again when its creation is repeated', async () => {
    const context = aCommand();
    const first = await create(context);
    const again = await create(context);
    expect(again).toMatchObject({ subscriptionId: first.subscriptionId, outcome: { repeated: true } });
    expect(again.secret).toBeUndefined();
    await expectOnly(first.subscriptionId, first.secret);
  });

  it('is the same for all whose identical commands created it at once', async () => {
    const context = aCommand({ requestHash: 'one' });
    const outcomes = await Promise.all(times(20, () => create(context)));
    const shown = new Set(outcomes.flatMap(({ secret }) => (secret === undefined ? [] : [secret])));
    expect(shown.size).toBe(1);
    await expectOnly(outcomes[0]?.subscriptionId ?? '', [...shown][0]);
  });

  it('is replaced by a rotation, which forgets the one before', async () => {
    const { subscriptionId } = await create();
    const { secret, outcome } = await rotate(subscriptionId);
    expect(outcome.state).toMatchObject({ secret_version: 2 });
    await expectOnly(subscriptionId, secret);
  });

  it('is, after many rotations at once in two processes, exactly the one that the newest event names', async () => {
    const { subscriptionId } = await create();
    const other = folder.open();
    for (let round = 0; round < 3; round++) {
      const shown = new Map<string, string | undefined>();
      await Promise.all(
        times(10, async (n) => {
          const context = aCommand();
          const { secret } = await rotateSecret(n % 2 ? stores : other, subscriptionId, aSecret(), context);
          shown.set(context.commandId, secret);
        }),
      );
      await expectOnly(subscriptionId, shown.get(namedBy((await historyOf(subscriptionId)).at(-1))));
    }
    const versions = (await historyOf(subscriptionId)).map(
      (event) => (event.data as { secret_version: number }).secret_version,
    );
    expect(versions).toEqual(times(31, (n) => n + 1));
  });

  it('comes back neither by a repeat of an earlier rotation nor of the creation', async () => {
    const creation = aCommand();
    const rotation = aCommand();
    const { subscriptionId } = await create(creation);
    await rotate(subscriptionId, rotation);
    const { secret } = await rotate(subscriptionId);
    expect((await rotate(subscriptionId, rotation)).secret).toBeUndefined();
    await expectOnly(subscriptionId, secret);
    expect((await create(creation)).secret).toBeUndefined();
    await expectOnly(subscriptionId, secret);
  });

  it('of a deleted subscription is forgotten, and no rotation or repeat leaves another', async () => {
    const creation = aCommand();
    const { subscriptionId } = await create(creation);
    await commandSubscription(stores, subscriptionId, { kind: 'delete' }, aCommand());
    expect(await stores.vault.names('')).toEqual([]);
    await expect(rotate(subscriptionId)).rejects.toMatchObject({ code: 'not_found' });
    await create(creation);
    expect(await stores.vault.names('')).toEqual([]);
  });

  it('is not left behind by a command that is refused', async () => {
    await expect(rotate(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    const endless = { ...wish, url: `https://example.org/${'x'.repeat(2_000)}` };
    await expect(createSubscription(stores, endless, aSecret(), aCommand())).rejects.toMatchObject({
      name: 'InvalidEvent',
    });
    const nowhere = { ...wish, team: 'nowhere' };
    await expect(createSubscription(stores, nowhere, aSecret(), aCommand())).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await stores.vault.names('')).toEqual([]);
  });

  it('survives a refused reuse of the command id that it is named by', async () => {
    const context = aCommand({ requestHash: 'one' });
    const { subscriptionId, secret } = await create(context);
    await expect(create({ ...context, requestHash: 'two' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    await expectOnly(subscriptionId, secret);
  });

  it('never stands in an event, nor readable in the vault', async () => {
    const first = await create();
    const second = await rotate(first.subscriptionId);
    const events = bytesOf('events.db');
    const vault = bytesOf('vault.db');
    expect(events.includes(new URL(wish.url).origin)).toBe(true);
    expect(vault.includes(first.subscriptionId)).toBe(true);
    for (const secret of [first.secret, second.secret]) {
      const bare = (secret ?? 'missing').slice('whsec_'.length);
      for (const form of [bare, Buffer.from(bare, 'base64')]) {
        expect(events.includes(form)).toBe(false);
        expect(vault.includes(form)).toBe(false);
      }
    }
  });
});

it('the deciders’ states are what their streams make them', async () => {
  const { subscriptionId, outcome } = await createSubscription(
    stores,
    { team: 'harbour', url: 'https://example.org/', events: ['resource.approved'] },
    'whsec_x',
    aCommand(),
  );
  expect((await load(stores.store, subscription, subscriptionId)).state).toEqual(outcome.state);
  expect((await load(stores.store, team, 'harbour')).state).toEqual({
    name: 'Harbour',
    scopes: [],
    members: new Map(),
    invitations: new Map(),
    closed: new Map(),
    passkeysRequired: false,
  });
  expect(await load(stores.store, team, 'nowhere')).toEqual({
    state: undefined,
    position: -1n,
    revision: -1,
  });
});

/**
 * All that a database's files hold at this moment, free pages and write-ahead log included. Another process
 * reads them: when this one closed a handle of its own on them, its locks would be gone.
 */
function bytesOf(name: string): Buffer {
  const files = ['', '-wal']
    .map((suffix) => join(folder.path, name + suffix))
    .filter((each) => existsSync(each));
  return execFileSync('cat', files, { maxBuffer: 100_000_000 });
}
