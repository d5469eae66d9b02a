import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { receiver } from '../dispatch/receivers.ts';
import { cli } from '../faults/processes.ts';
import { aCommand } from '../support/context.ts';
import { engineSettings } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const number = 489;

interface Bulk {
  readonly bulk: string;
  readonly status: string;
  readonly counts?: { readonly done: number };
}

it('489 approved by a process that is killed, undone, and approved again: each is sent once, and nobody is told twice that it was approved', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const data = join(folder.path, 'data');
  const file = join(folder.path, 'month.json');
  const services = Array.from({ length: number }, (_, n) => ({
    ...{ id: `s${n}`, name: `Pantry of saint ${n}`, status: 'active' },
  }));
  writeFileSync(file, JSON.stringify(services));
  const sent: { readonly event: string; readonly id: string }[] = [];
  const to = await receiver((response, { headers, body }) => {
    const { event, data: told } = JSON.parse(String(body)) as { event: string; data: { svc_id: string } };
    sent.push({ event, id: `${event} ${told.svc_id} ${String(headers['x-service-delivery'])}` });
    response.writeHead(204).end();
  });
  onTestFinished(() => to[Symbol.asyncDispose]());
  const times = (event: string) =>
    new Set(sent.filter((each) => each.event === event).map(({ id }) => id)).size;

  await runCommand(data, 'teams', 'create', 'harbour', '--name', 'Harbour');
  await runCommand(data, 'import', file, '--team', 'harbour', '--source', 'county');
  await onStores(data, (system) =>
    createSubscription(
      system,
      {
        team: 'harbour',
        url: to.url,
        events: ['resource.approved', 'resource.rejected', 'resource.changed'],
      },
      newSigningSecret(randomBytes),
      aCommand(),
    ),
  );

  // Rejected by mistake, undone, rejected once more and undone again: that is sent once.
  const reject = ['reject', '--team', 'harbour', '--filter', 'q=saint 7', '--reason', 'Closed'];
  for (const _ of ['once', 'and again']) {
    const { bulk } = (await runCommand(data, 'resources', 'bulk', ...reject)) as Bulk;
    await runCommand(data, 'resources', 'bulk', 'undo', bulk, '--team', 'harbour');
  }
  const rejections = (await typesIn(data)).filter((type) => type === 'ResourceRejected').length;
  expect(rejections).toBeGreaterThan(1);

  const approve = ['resources', 'bulk', 'approve', '--team', 'harbour', '--filter', 'status=submitted'];
  const approving = cli(data, ...approve, '--json');
  await until(async () => (await typesIn(data)).filter((type) => type === 'ResourceApproved').length > 30);
  expect(await approving.kill()).toBe(true);
  const before = (await typesIn(data)).filter((type) => type === 'ResourceApproved').length;
  expect(before).toBeLessThan(number);

  const server = await startServing(data, { ALLOW_PRIVATE_WEBHOOKS: 'true' });
  onTestFinished(async () => {
    await server.stop();
  });
  const list = async () =>
    (await runCommand(data, 'resources', 'bulk', 'list', '--team', 'harbour')) as Bulk[];
  const [first] = await until(async () => {
    const all = await list();
    return all[0]?.status === 'ended' && all;
  });
  expect(first).toMatchObject({ counts: { done: number, unchanged: 0, skipped: {} } });
  expect((await typesIn(data)).filter((type) => type === 'ResourceApproved')).toHaveLength(number);
  await until(() => times('resource.approved') === number);

  const undone = await runCommand(data, 'resources', 'bulk', 'undo', first?.bulk ?? '', '--team', 'harbour');
  expect(undone).toMatchObject({ taken_out: number, left: 0 });
  await until(() => times('resource.changed') === number);

  expect(await runCommand(data, ...approve)).toMatchObject({ report: { done: number } });
  await until(() => times('resource.changed') === 2 * number);
  expect(times('resource.approved')).toBe(number);
  expect(times('resource.rejected')).toBe(rejections / 2);
  expect((await list()).map(({ status }) => status)).toEqual(['ended', 'undone', 'undone', 'undone']);
}, 300_000);

/** The types of all events. */
const typesIn = (dataDir: string): Promise<string[]> =>
  onStores(dataDir, async ({ store }) => {
    const types: string[] = [];
    for (let after = beginning; ;) {
      const { events, position } = await store.readAll({ after, limit: 5_000 });
      types.push(...events.map(({ type }) => type));
      if (position === after) return types;
      after = position;
    }
  });

async function onStores<Result>(dataDir: string, work: (system: System) => Promise<Result>): Promise<Result> {
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir) }));
  try {
    return await work(system);
  } finally {
    await system.close();
  }
}
