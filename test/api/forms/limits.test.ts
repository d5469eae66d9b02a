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

describe('one network', () => {
  test('sends sixty forms in an hour, and its refused ones leave nothing behind', async () => {
    const roomy = await startSystem();
    try {
      await roomy.team('harbour');
      await publish(roomy, 'open', aForm());
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
