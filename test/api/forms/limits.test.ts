import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { anyForm } from '../../support/any-form.ts';
import { startSystem, type RunningSystem } from '../harness.ts';
import { answersTo, command, formUrl, newNetwork, publish, visitor } from './visitor.ts';

const site = 'https://harbour.example';
const environment = { FORM_DAILY_CAP: '4', TEAM_FORMS_DAILY_CAP: '6' };
let now = new Date('2026-11-20T22:30:00Z');
const settings = { environment, now: () => now };

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem(settings);
});
afterAll(() => system.stop());

const aForm = (rest: Parameters<typeof anyForm>[0] = {}) => anyForm({ allowed_origins: [site], ...rest });

const send = (
  slug: string,
  team: string,
  { from = newNetwork(), server = system.server }: { from?: string; server?: FastifyInstance } = {},
) =>
  server.inject({
    method: 'POST',
    url: formUrl(slug, team),
    remoteAddress: from,
    headers: { origin: site, 'content-type': 'application/json' },
    payload: { name: 'Ana' },
  });
const statuses = (answers: readonly { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).sort();

describe('the daily caps', () => {
  test('hold exactly when submissions come at once, and say when to come again', async () => {
    await system.team('caps');
    await publish(system, 'one', aForm(), 'caps');
    const answers = await Promise.all(Array.from({ length: 12 }, () => send('one', 'caps')));
    expect(statuses(answers)).toEqual([...Array<number>(4).fill(201), ...Array<number>(8).fill(429)]);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({
      error: 'form_full',
      detail: 'This form cannot take more answers today. Please try again tomorrow.',
    });
    expect(refused?.headers['retry-after']).toBe('5400');
    expect(await answersTo(system, 'one', 'caps')).toHaveLength(4);
  });

  test('show the page again with what was typed', async () => {
    const somebody = await visitor(system, formUrl('one', 'caps'));
    now = new Date(now.getTime() + 30_000);
    const { statusCode, headers, body } = await somebody.send({ name: 'Ana' });
    expect([statusCode, headers['retry-after']]).toEqual([429, '5370']);
    expect(body).toContain('This form cannot take more answers today.');
    expect(body).toContain('value="Ana"');
  });

  test('of a team count all its forms, whatever a form names', async () => {
    await publish(system, 'two', aForm({ daily_cap: 50 }), 'caps');
    const answers = [];
    for (let number = 0; number < 5; number++) answers.push(await send('two', 'caps'));
    expect(statuses(answers)).toEqual([201, 201, 429, 429, 429]);
  });

  test('are not forgotten by a restart, nor by another node', async () => {
    await system.caughtUp();
    const restarted = await system.another(settings);
    expect((await send('two', 'caps', { server: restarted })).statusCode).toBe(429);
  });

  test('hold while the read models stand still', async () => {
    await system.team('still');
    await publish(system, 'one', aForm(), 'still');
    await system.withoutProjector(async () => {
      const answers = [];
      for (let number = 0; number < 6; number++) answers.push(await send('one', 'still'));
      expect(statuses(answers)).toEqual([201, 201, 201, 201, 429, 429]);
    });
    await system.caughtUp();
    expect((await send('one', 'still')).statusCode).toBe(429);
  });

  test('hold exactly over several nodes at once, while their read models stand still', async () => {
    await system.team('nodes');
    await publish(system, 'one', aForm(), 'nodes');
    await publish(system, 'two', aForm({ daily_cap: 50 }), 'nodes');
    const servers = [system.server, await system.another(settings), await system.another(settings)];
    await system.withoutProjector(async () => {
      const over = (slug: string) =>
        Promise.all(servers.flatMap((server) => [1, 2, 3, 4].map(() => send(slug, 'nodes', { server }))));
      expect(statuses(await over('one'))).toEqual([
        ...Array<number>(4).fill(201),
        ...Array<number>(8).fill(429),
      ]);
      // Two are left of the six of the team.
      expect(statuses(await over('two'))).toEqual([201, 201, ...Array<number>(10).fill(429)]);
    });
    expect(await answersTo(system, 'one', 'nodes')).toHaveLength(4);
  });

  test('are as the form names them, and change with it', async () => {
    await system.team('named');
    await publish(system, 'one', aForm({ daily_cap: 1 }), 'named');
    expect(statuses([await send('one', 'named'), await send('one', 'named')])).toEqual([201, 429]);
    await command(system, 'one', { kind: 'revise', definition: aForm({ daily_cap: 2 }) }, 'named');
    expect(statuses([await send('one', 'named'), await send('one', 'named')])).toEqual([201, 429]);
  });

  test('begin again with the next day', async () => {
    now = new Date('2026-11-21T00:00:01Z');
    expect((await send('one', 'caps')).statusCode).toBe(201);
  });
});

describe('a few networks', () => {
  const sendAll = async (slug: string, team: string, addresses: readonly string[], each: number) => {
    for (const from of addresses)
      for (let number = 0; number < each; number++) await send(slug, team, { from, server: roomy.server });
  };
  const taken = async (slug: string, team: string) => (await answersTo(roomy, slug, team)).length;
  let roomy: RunningSystem;
  beforeAll(async () => {
    roomy = await startSystem({ ...settings, environment: { TEAM_FORMS_DAILY_CAP: '40' } });
  });
  afterAll(() => roomy.stop());

  test('never use up the day of a form: each takes a part of what is left, and others get through', async () => {
    await roomy.team('shares');
    await publish(roomy, 'one', aForm({ daily_cap: 32 }), 'shares');
    const address = newNetwork();
    await sendAll('one', 'shares', [address], 32);
    // A quarter of what is left at each: 7 of 32, as the eighth would be more than a quarter of 25.
    expect(await taken('one', 'shares')).toBe(7);
    const refused = await send('one', 'shares', { from: address, server: roomy.server });
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      429,
      'too_many_submissions',
    ]);
    expect(refused.json<{ detail: string }>().detail).toContain('from your network today');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    await sendAll('one', 'shares', [newNetwork(), newNetwork(), newNetwork(), newNetwork()], 32);
    expect(await taken('one', 'shares')).toBeLessThan(28);
    expect((await send('one', 'shares', { server: roomy.server })).statusCode).toBe(201);
  });

  test('are counted by /48 too: whoever has many networks of one provider takes half of what is left', async () => {
    await roomy.team('wide');
    await publish(roomy, 'one', aForm({ daily_cap: 20 }), 'wide');
    const ofOneHost = Array.from({ length: 20 }, (_, n) => `2001:470:1:${(n + 1).toString(16)}::7`);
    await sendAll('one', 'wide', ofOneHost, 2);
    expect(await taken('one', 'wide')).toBeLessThanOrEqual(10);
    expect((await send('one', 'wide', { server: roomy.server })).statusCode).toBe(201);
  });

  test('never use up the day of a team with many forms', async () => {
    await roomy.team('many');
    const address = newNetwork();
    for (const slug of ['one', 'two', 'three']) {
      await publish(roomy, slug, aForm({ daily_cap: 1_000 }), 'many');
      await sendAll(slug, 'many', [address], 20);
    }
    const all = await Promise.all(['one', 'two', 'three'].map((slug) => taken(slug, 'many')));
    expect(all.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(10);
    expect((await send('three', 'many', { server: roomy.server })).statusCode).toBe(201);
  });
});

describe('one network', () => {
  test('sends sixty forms in an hour, and its refused ones leave nothing behind', async () => {
    const roomy = await startSystem();
    try {
      await roomy.team('harbour');
      await publish(roomy, 'open', aForm({ daily_cap: 2_000 }));
      const from = newNetwork();
      const answers = await Promise.all(
        Array.from({ length: 61 }, () => send('open', 'harbour', { from, server: roomy.server })),
      );
      expect(statuses(answers)).toEqual([...Array<number>(60).fill(201), 429]);
      const refused = answers.find(({ statusCode }) => statusCode === 429);
      expect(refused?.json()).toMatchObject({
        error: 'too_many_submissions',
        detail: expect.stringMatching(/Please try again in \d+ minutes\.$/) as string,
      });
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3_000);
      expect((await send('open', 'harbour', { server: roomy.server })).statusCode).toBe(201);

      // A flood: what is refused appends nothing and costs little.
      const head = await roomy.system.store.head();
      const began = performance.now();
      const used = process.cpuUsage();
      const flood = 2_000;
      for (let number = 0; number < flood; number++)
        await send('open', 'harbour', { from, server: roomy.server });
      const { user, system: kernel } = process.cpuUsage(used);
      console.log(
        `refused submissions: ${((user + kernel) / flood).toFixed(0)} µs of CPU each, ${(flood / ((performance.now() - began) / 1_000)).toFixed(0)} a second`,
      );
      expect(await roomy.system.store.head()).toBe(head);
      expect((await roomy.server.inject({ url: '/healthz' })).statusCode).toBe(200);
      // 10,000 a minute must leave most of a core free.
      expect((user + kernel) / flood).toBeLessThan(3_000);
    } finally {
      await roomy.stop();
    }
  });
});
