import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { commandDelivery, scheduleDelivery } from '../../../src/commands/webhooks/delivery.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { fanOutGroup } from '../../../src/dispatch/fan-out.ts';
import { announcedTypes } from '../../../src/dispatch/payload-of-event.ts';
import { projections } from '../../../src/projections/all.ts';
import { Health } from '../../../src/runtime/health.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

interface Listed {
  readonly kind: string;
  readonly id: string;
  readonly reason: string;
}

const operator = () => ({
  actor: { kind: 'system', id: 'cli' } as const,
  commandId: randomUUID(),
  at: new Date(),
});

let folder: ReturnType<typeof temporaryFolder>;
const run = (...words: readonly string[]) => runCommandLine(words, folder.path);
const listed = async () => JSON.parse((await run('webhooks', 'parked', 'list', '--json')).stdout) as Listed[];

/** Opens the stores, uses them as a server would, and closes them. */
async function using<Result>(work: (system: Awaited<ReturnType<typeof openSystem>>) => Promise<Result>) {
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  try {
    return await work(system);
  } finally {
    await system.close();
  }
}

/** Two events that cannot be fanned out, and a delivery that cannot be attempted. */
let delivery: string;
beforeEach(async () => {
  folder = temporaryFolder();
  delivery = randomUUID();
  await using(async (system) => {
    const { store } = system;
    await commandTeam(store, { kind: 'create', team: 'harbour', name: 'Harbour' }, operator());
    for (const name of ['Pantry', 'Clinic']) {
      const fields = { name, category: 'food' } as const;
      const { state } = await submitResource(system, { team: 'harbour', fields }, operator());
      await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, operator());
    }
    const stop = new AbortController();
    const consuming = store.consume(fanOutGroup, {
      filter: { types: announcedTypes },
      signal: stop.signal,
      handle: async (events) => events.map(() => ({ kind: 'park', reason: 'It cannot be rendered.' })),
    });
    await until(async () => (await store.countParked(fanOutGroup)) === 2);
    stop.abort();
    await consuming;
    const data = {
      delivery,
      subscription: randomUUID(),
      team: 'harbour',
      event: 'resource.approved',
      occurred_at: new Date().toISOString(),
      payload_version: 1,
    } as const;
    await scheduleDelivery(store, data, operator());
    const park = { kind: 'park', tries: 10, reason: 'Its secret cannot be read.' } as const;
    await commandDelivery(store, delivery, park, operator());
  });
});
afterEach(() => folder.remove());

test('what is parked is listed with its reason, counted in status, and a problem of health', async () => {
  const all = await listed();
  expect(all).toMatchObject([
    { kind: 'event', team: 'harbour', event: 'resource.approved', reason: 'It cannot be rendered.' },
    { kind: 'event', reason: 'It cannot be rendered.' },
    { kind: 'delivery', id: delivery, team: 'harbour', reason: 'Its secret cannot be read.' },
  ]);
  const { stdout } = await run('webhooks', 'parked', 'list');
  expect(stdout).toMatch(/^KIND +ID +TEAM +EVENT +SINCE +REASON$/m);
  expect(stdout).toContain('Its secret cannot be read.');
  const status = JSON.parse((await run('status', '--json')).stdout) as { webhooks: unknown };
  expect(status.webhooks).toMatchObject({ parked: 3, parked_events: 2, parked_deliveries: 1, pending: 0 });
  expect((await run('status')).stdout).toContain('3 parked; see "commonweal webhooks parked list"');
  const sentences = await using(async (system) => {
    const troubles = await new Health({ system, projections, say: () => undefined }).troubles();
    return troubles.map(({ sentence }) => sentence);
  });
  expect(sentences).toContainEqual(expect.stringMatching(/parked.*events: 2, deliveries: 1/));
});

test('one event and one delivery are replayed by their ids, and the rest stays', async () => {
  const [first, second] = await listed();
  const { stdout } = await run('webhooks', 'parked', 'replay', String(first?.id), delivery);
  expect(stdout.trim()).toBe('1 event and 1 delivery replayed.');
  expect((await listed()).map(({ id }) => id)).toEqual([second?.id]);
  const status = JSON.parse((await run('status', '--json')).stdout) as { webhooks: unknown };
  expect(status.webhooks).toMatchObject({ parked: 1, pending: 1 });
  const handed = await using(async ({ store }) => {
    const stop = new AbortController();
    const seen: string[] = [];
    const consuming = store.consume(fanOutGroup, {
      filter: { types: announcedTypes },
      signal: stop.signal,
      handle: async (events) => {
        seen.push(...events.map(({ event }) => event.id));
        return events.map(() => ({ kind: 'ack' }));
      },
    });
    await until(() => seen.length > 0);
    stop.abort();
    await consuming;
    return seen;
  });
  expect(handed).toEqual([first?.id]);
});

test('everything is discarded with --all, and nothing of it is found again', async () => {
  const { stdout } = await run('webhooks', 'parked', 'discard', '--all', '--json');
  expect(JSON.parse(stdout)).toEqual({ discarded: { events: 2, deliveries: 1 } });
  expect(await listed()).toEqual([]);
  expect((await run('webhooks', 'parked', 'list')).stdout.trim()).toBe('Nothing is parked.');
  const again = await run('webhooks', 'parked', 'replay', '--all');
  expect(again.stdout.trim()).toBe('0 events and 0 deliveries replayed.');
});

test('a decision needs ids that are parked, or --all, and not both', async () => {
  const neither = await run('webhooks', 'parked', 'replay');
  expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('or --all')]);
  const both = await run('webhooks', 'parked', 'discard', delivery, '--all');
  expect(both.code).toBe(2);
  const unknown = await run('webhooks', 'parked', 'discard', delivery, 'nothing');
  expect([unknown.code, unknown.stderr.trim()]).toEqual([2, 'Not parked: nothing.']);
  expect(await listed()).toHaveLength(3);
});
