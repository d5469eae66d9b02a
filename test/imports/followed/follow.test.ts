import { afterEach, describe, expect, test } from 'vitest';
import { successionNote } from '../../../src/audit/proof-log/format/succession.ts';
import { sha256 } from '../../../src/audit/proof-log/format/merkle.ts';
import { verifierOf, vkeyOf } from '../../../src/audit/proof-log/format/note.ts';
import { importedSvcId } from '../../../src/commands/directory/import-record.ts';
import { importRunOf } from '../../../src/commands/directory/import.ts';
import { resource } from '../../../src/commands/directory/resource-decider.ts';
import { commandResource } from '../../../src/commands/directory/resource.ts';
import { load } from '../../../src/commands/command-handler.ts';
import {
  commandFollowing,
  followingOf,
  readSoFar,
  type Following,
} from '../../../src/commands/directory/upkeep/following.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { followingStreamId } from '../../../src/events/directory/upkeep/following.ts';
import { svcIdOf } from '../../../src/events/ids.ts';
import { follow, type FollowParts } from '../../../src/imports/followed/follow.ts';
import { FollowingContacts } from '../../../src/imports/followed/following-contacts.ts';
import { aCommand } from '../../support/context.ts';
import { newSigner } from '../../support/note-signer.ts';
import { dataFolder, type Stores } from '../../support/stores.ts';
import { HostileFeed, logName } from './hostile-feed.ts';

const of = { team: 'harbour', source: logName } as const;
const day = 86_400_000;
const own = 'harbour.example/audit/log';
const pantry = (name: string, more: object = {}) => ({ name, category: 'food', ...more });
const id = (number: number) => svcIdOf(number);

let folders: ReturnType<typeof dataFolder>[] = [];
afterEach(async () => {
  for (const folder of folders) await folder.dispose();
  folders = [];
});

/** A team that follows a directory, whose clock a test moves. */
async function followed(feed = new HostileFeed()) {
  const folder = dataFolder();
  folders.push(folder);
  const stores: Stores = folder.open();
  const clock = { now: Date.parse('2026-03-02T00:00:00.000Z') };
  await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
  const begin = {
    kind: 'begin',
    data: { ...of, address: 'https://valley.example', vkey: feed.vkey, approve: true },
  } as const;
  await commandFollowing(stores.store, of, begin, aCommand());
  const parts: FollowParts = {
    ...stores,
    read: feed.read,
    ownLogs: () => Promise.resolve(new Set([own])),
    settings: { everyMs: 1_000, silentMs: 14 * day },
    now: () => new Date(clock.now),
  };
  const state = async () => (await followingOf(stores.store, of)) as Following;
  return {
    ...{ feed, stores, clock, parts, state },
    async turn(signal = new AbortController().signal) {
      clock.now += 1_000;
      await follow(parts, of, signal);
      return state();
    },
    contact: () => new FollowingContacts(stores.side).get(followingStreamId(of.team, of.source)),
    async record(number: number) {
      const svcId = importedSvcId(of.team, { system: of.source, id: id(number) });
      return (await load(stores.store, resource, svcId)).state;
    },
    forget: () => new FollowingContacts(stores.side).forget(followingStreamId(of.team, of.source)),
  };
}

describe('reading a followed directory', () => {
  test('takes records as a source does: what a person has changed stays, and what is gone is taken out', async () => {
    const at = await followed();
    at.feed.entries = [
      [id(1), pantry('One', { description: 'Bags.', hours: 'Mon' })],
      [id(2), pantry('Two')],
    ];
    expect((await at.turn()).phase).toBe('following');
    const before = await at.record(1);
    expect(before).toMatchObject({
      status: 'approved',
      fields: { name: 'One', hours: 'Mon' },
      source: { origin: { directory: logName, svc_id: id(1) } },
    });
    const change = { hours: 'Tue' };
    await commandResource(at.stores, before?.svc_id ?? '', { kind: 'revise', change }, aCommand());
    at.feed.grow();
    at.feed.entries.push(
      [id(1), pantry('One', { description: 'Boxes.', hours: 'Wed' })],
      [id(2), null],
      [id(99), null],
    );
    await at.turn();
    expect((await at.record(1))?.fields).toMatchObject({ description: 'Boxes.', hours: 'Tue' });
    expect((await at.record(2))?.status).toBe('inactive');
    const read = await readSoFar(at.stores.store, await at.state());
    expect(read).toMatchObject({
      entries: 3,
      counts: { revised: 1, deactivated: 1, missing: 1, conflicts: 1 },
    });
    expect(read?.checkpoint).toBe(at.feed.checkpoint());
    expect((await importRunOf(at.stores.store, read?.import ?? ''))?.phase).toBe('ended');
  });

  test('goes on where it was killed, and doubles nothing', async () => {
    const at = await followed();
    at.feed.pageSize = 1;
    at.feed.entries = [1, 2, 3].map((number) => [id(number), pantry(`Pantry ${number}`)] as const);
    const stop = new AbortController();
    const { read } = at.parts;
    Object.assign(at.parts, {
      read: (url: string, request: Parameters<typeof read>[1]) => {
        // Killed before it asks for the third answer: the records of the second are there.
        if (url.includes('cursor=2')) stop.abort(new Error('killed'));
        return read(url, request);
      },
    });
    await expect(at.turn(stop.signal)).rejects.toThrow('killed');
    Object.assign(at.parts, { read });
    await at.turn();
    const head = await at.stores.store.head();
    await at.turn();
    expect(await at.stores.store.head()).toBe(head);
    for (const number of [1, 2, 3]) expect((await at.record(number))?.fields.name).toBe(`Pantry ${number}`);
    expect(await readSoFar(at.stores.store, await at.state())).toMatchObject({ counts: { new: 3 } });
  });

  test('leaves out what was written here, and names where others were written first', async () => {
    const at = await followed();
    at.feed.entries = [
      [id(1), pantry('Ours', { origin: { directory: own, svc_id: id(7) } })],
      [id(2), pantry('Of a third', { origin: { directory: 'third.example/audit/log', svc_id: id(8) } })],
    ];
    await at.turn();
    expect(await at.record(1)).toBeUndefined();
    expect((await at.record(2))?.source?.origin?.directory).toBe('third.example/audit/log');
  });

  test('makes no record of rubbish, cleans texts, takes no persons, and the date of a confirmation', async () => {
    const at = await followed();
    at.feed.entries = [
      [id(1), { name: 7, category: 'nonsense' }],
      [id(2), 'no record'],
      [
        id(3),
        pantry('A\u202e <b>Pantry</b>', {
          ...{
            description: 'x'.repeat(50_000),
            url: 'javascript:alert(1)',
            unknown_field: { deep: [[[[]]]] },
          },
          ...{
            contacts: [{ name: 'Ana' }],
            email: 'ana@example.org',
            organization: { id: 'o_1', name: 'Valley' },
          },
          ...{ confirmed: { on: '2026-02-20', by: 'team' }, last_verified: '2026-01-01' },
        }),
      ],
    ];
    expect((await at.turn()).phase).toBe('following');
    const fields = (await at.record(3))?.fields;
    expect(fields).toMatchObject({
      name: 'A Pantry',
      last_verified: '2026-02-20',
      organization: { name: 'Valley' },
    });
    expect(fields?.description?.length).toBeLessThanOrEqual(10_000);
    for (const name of ['url', 'contacts', 'email', 'unknown_field']) expect(fields).not.toHaveProperty(name);
    expect(await readSoFar(at.stores.store, await at.state())).toMatchObject({
      counts: { new: 1, left_out: 2 },
    });
  });

  test('takes what was confirmed there of parts, while the record says the same', async () => {
    const at = await followed();
    const record = (hours: string, confirmed: object) =>
      [id(1), pantry('One', { hours, phones: [{ number: '305-555-0100' }], confirmed })] as const;
    const reads = async (...entry: Parameters<typeof record>) => {
      at.feed.grow();
      at.feed.entries.push(record(...entry));
      await at.turn();
      return at.record(1);
    };
    const [whole, hours] = [
      { on: '2026-01-01', by: 'team' },
      { on: '2026-02-20', by: 'agency' },
    ];
    const phones = { by: 'source', on: '2026-02-25', changed: '2026-02-26' };
    const places = { on: '2026-03-20', by: 'team' };
    const read = await reads('Mon', { ...whole, hours, phones, places });
    expect(read).toMatchObject({ status: 'approved', source_confirmed: { hours: '2026-02-20' } });
    expect(read?.source_confirmed).toEqual({ hours: '2026-02-20' });
    const svcId = read?.svc_id ?? '';
    const head = () => at.stores.store.readStream(`resource-${svcId}`);
    const before = (await head()).length;
    await reads('Mon', { ...whole, hours, phones, places });
    expect(await head(), 'the same again says nothing new').toHaveLength(before);

    const later = { ...whole, hours: { on: '2026-03-01T09:30:00Z', by: 'team' } };
    expect((await reads('Mon', later))?.source_confirmed).toEqual({ hours: '2026-03-01T09:30:00Z' });
    expect((await head()).at(-1)).toMatchObject({ type: 'ResourceReadFromSource' });
    const last = await readSoFar(at.stores.store, await at.state());
    expect(last?.counts).toMatchObject({ unchanged: 1, conflicts: 0 });

    await commandResource(at.stores, svcId, { kind: 'revise', change: { hours: 'Tue' } }, aCommand());
    expect((await at.record(1))?.source_confirmed).toEqual({});
    // It goes on to say something else, which is of its hours and not of those that stand here.
    const other = { ...whole, hours: { on: '2026-03-02', by: 'team' } };
    expect(await reads('Wed', other)).toMatchObject({ fields: { hours: 'Tue' }, source_confirmed: {} });
    // Once it agrees, it is its word again.
    expect((await reads('Tue', other))?.source_confirmed).toEqual({ hours: '2026-03-02' });
    expect((await reads('Tue', whole))?.source_confirmed).toEqual({});
  });

  test.each<[unknown]>([
    ['Mon'],
    [['Mon']],
    [{ hours: null }],
    [{ hours: 7 }],
    [{ hours: { on: 'soon' } }],
    [{ hours: { on: '2026-13-01' } }],
    [{ hours: { on: { deep: [] } } }],
    [{ hours: { on: '2026-03-03' } }],
    [{ constructor: 'x' }],
  ])('takes no rubbish for a confirmation of a part: %j', async (confirmed) => {
    const at = await followed();
    at.feed.entries = [[id(1), pantry('One', { hours: 'Mon', confirmed })]];
    expect((await at.turn()).phase).toBe('following');
    const read = await at.record(1);
    expect(read).toMatchObject({ status: 'approved', fields: { hours: 'Mon' } });
    expect(read).not.toHaveProperty('source_confirmed');
  });

  test.each([
    ['a page that is no JSON', 200, '<html>'],
    ['a page without an end', 200, { data: [], has_more: true, cursor: 'x' }],
    [
      'a page of the wrong shape',
      200,
      { data: [{ svc_id: '../x', change: 'upsert' }], has_more: false, cursor: 'x' },
    ],
    ['a fault', 500, 'oops'],
    ['a redirect', 302, ''],
  ])('waits, and changes nothing, after %s', async (_, status, body) => {
    const at = await followed();
    at.feed.answers.set('/dash/api/v1/changes', { status, body });
    const head = await at.stores.store.head();
    expect((await at.turn()).phase).toBe('following');
    expect(await at.contact()).toMatchObject({ failures: 1, problem: expect.any(String) as string });
    expect(await at.stores.store.head()).toBe(head);
  });
});

describe('a followed directory is paused and named', () => {
  test('when its log goes on differently, and followed anew when that is accepted', async () => {
    const at = await followed();
    at.feed.entries = [
      [id(1), pantry('One')],
      [id(2), pantry('Two')],
    ];
    at.feed.grow();
    await at.turn();
    at.feed.leaves[1] = sha256('another past');
    at.feed.grow();
    at.feed.entries = [[id(1), pantry('Other')]];
    const paused = await at.turn();
    expect(paused).toMatchObject({ phase: 'paused', paused: { why: 'rewritten' } });
    expect(paused.paused?.detail).toMatch(/does not continue the one of 2/);
    expect((await at.record(1))?.fields.name).toBe('One');
    const resume = { kind: 'resume', manyGoneUntil: '2027-01-01T00:00:00.000Z' } as const;
    await expect(commandFollowing(at.stores.store, of, resume, aCommand())).rejects.toThrow(
      /past is not the one/,
    );
    await at.forget();
    await commandFollowing(at.stores.store, of, { ...resume, anew: { vkey: at.feed.vkey } }, aCommand());
    expect(await at.state()).toMatchObject({ phase: 'following', epoch: 1 });
  });

  test('when its log is cut back', async () => {
    const at = await followed();
    at.feed.grow();
    await at.turn();
    at.feed.leaves.pop();
    expect((await at.turn()).paused).toMatchObject({
      why: 'rewritten',
      detail: 'Its proof log has 1 entry, and had signed 2 before.',
    });
  });

  test('when another key signs; the next key is taken over where the earlier one has handed over', async () => {
    const at = await followed();
    await at.turn();
    const [first = newSigner(logName)] = at.feed.signers;
    const [second, third] = [newSigner(logName), newSigner(logName)];
    const vkey = (signer: typeof second) => vkeyOf(verifierOf(signer));
    at.feed.signers = [third];
    // Two rotations later, by a chain of notes.
    at.feed.successions = [
      { vkey: vkey(third), succession: successionNote(second, vkey(third)) },
      { vkey: vkey(second), succession: successionNote(first, vkey(second)) },
      { vkey: vkey(first), succession: null },
    ];
    expect(await at.turn()).toMatchObject({ phase: 'following', vkey: vkey(third) });
    // A key that has signed for itself.
    const thief = newSigner(logName);
    at.feed.signers = [thief];
    at.feed.successions = [{ vkey: vkey(thief), succession: successionNote(thief, vkey(thief)) }];
    expect((await at.turn()).paused?.why).toBe('another-key');
  });

  test('when it shows another log', async () => {
    const at = await followed();
    at.feed.signers = [newSigner(`${logName}/2026-03-02-abc`)];
    expect((await at.turn()).paused).toMatchObject({ why: 'another-log' });
  });

  test.each([
    [410, 'cursor'],
    [401, 'refused'],
    [403, 'refused'],
  ] as const)('when its feed answers %i', async (status, why) => {
    const at = await followed();
    at.feed.entries = [[id(1), pantry('One')]];
    await at.turn();
    at.feed.answers.set('/dash/api/v1/changes', { status, body: {} });
    expect((await at.turn()).paused?.why).toBe(why);
  });

  test('when more than a fifth would be gone within a day, before any is', async () => {
    const at = await followed();
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    at.feed.entries = numbers.map((number) => [id(number), pantry(`Pantry ${number}`)] as const);
    await at.turn();
    at.feed.entries.push(...numbers.map((number) => [id(number), null] as const));
    expect((await at.turn()).paused).toMatchObject({ why: 'many-gone' });
    expect((await at.record(1))?.status).toBe('approved');
    await commandFollowing(
      at.stores.store,
      of,
      { kind: 'resume', manyGoneUntil: new Date(at.clock.now + day).toISOString() },
      aCommand(),
    );
    expect((await at.turn()).phase).toBe('following');
    for (const number of numbers) expect((await at.record(number))?.status).toBe('inactive');
  });

  test('when it is silent, and goes on by itself when it answers', async () => {
    const at = await followed();
    at.feed.entries = [[id(1), pantry('One')]];
    await at.turn();
    at.feed.answers.set('/audit/log/checkpoint', 'nothing');
    expect((await at.turn()).phase).toBe('following');
    at.clock.now += 15 * day;
    expect((await at.turn()).paused).toMatchObject({
      why: 'silent',
      detail: expect.stringContaining('not answered since') as string,
    });
    at.feed.answers.clear();
    expect((await at.turn()).phase).toBe('paused');
    at.feed.grow();
    at.feed.entries.push([id(2), pantry('Two')]);
    expect((await at.turn()).phase).toBe('following');
    expect((await at.record(2))?.status).toBe('approved');
  });
});
