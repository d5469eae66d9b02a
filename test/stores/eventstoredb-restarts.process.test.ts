import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { submitResource } from '../../src/commands/directory/resource.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { commons } from '../../src/events/teams.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { subscriptions } from '../../src/projections/webhooks/subscriptions.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { receiver, type Receiver } from '../dispatch/receivers.ts';
import { start } from '../faults/processes.ts';
import { eventStoreCommand, eventStoreIn, type EventStoreServer } from '../support/event-store-server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

interface Status {
  readonly webhooks: {
    readonly parked: number;
    readonly reconciler: { readonly lag: { readonly events: number }; readonly repaired: number } | null;
  };
}

const [reason, suite] = [
  eventStoreCommand === '' ? ' (skipped: EVENTSTORE_COMMAND is not set)' : '',
  'webhooks, after an ordinary restart of EventStoreDB',
];

/** As people meet it: our own processes beside a server that is stopped in good order and started again. */
describe.skipIf(reason !== '')(suite + reason, { timeout: 240_000 }, () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let data: ReturnType<typeof temporaryFolder>;
  let server: EventStoreServer;
  let settings: Record<string, string>;
  let hook: Receiver;
  let received: string[];
  let ending: (() => Promise<unknown>)[];

  beforeEach(async () => {
    folder = temporaryFolder();
    data = temporaryFolder();
    server = await eventStoreIn(folder.path);
    await server.start();
    received = [];
    hook = await receiver((response, { body }) => {
      received.push((JSON.parse(body.toString()) as { data: { name: string } }).data.name);
      response.writeHead(204).end();
    });
    settings = {
      EVENTSTORE_URL: server.url,
      MASTER_KEY: randomBytes(32).toString('base64'),
      ALLOW_PRIVATE_WEBHOOKS: 'true',
    };
    ending = [];
  }, 120_000);
  afterEach(async () => {
    for (const end of ending.reverse()) await end();
    await hook[Symbol.asyncDispose]();
    await server.kill();
    folder.remove();
    data.remove();
  });

  const context = () => ({
    actor: { kind: 'system', id: 'test' } as const,
    commandId: crypto.randomUUID(),
    at: new Date(),
  });
  const serve = async (environment: Record<string, string> = {}) => {
    const serving = await startServing(data.path, { ...settings, ...environment });
    ending.push(() => serving.stop());
    return serving;
  };
  const submit = async (system: System, name: string) => {
    const fields = { name, category: 'food' } as const;
    const { state } = await submitResource(system, { team: commons.team, fields }, context());
    return state?.svc_id ?? '';
  };
  const submitMany = async (system: System, count: number) => {
    for (let n = 0; n < count; n++) await submit(system, `Waiting ${n}`);
  };
  /** With nobody who projects, the command line says that the change does not show yet; it is done all the same. */
  const approveByCommandLine = (...svcIds: readonly string[]) =>
    start('src/main.js', ['resources', 'approve', ...svcIds], data.path, settings).ended;
  const restartServer = async () => {
    await server.stop();
    await server.start();
  };
  const withSystem = async <Result>(work: (system: System) => Promise<Result>): Promise<Result> => {
    const system = await openSystem(readConfig({ DATA_DIR: data.path, ...settings }));
    try {
      await until(() =>
        system.ready().then(
          () => true,
          () => false,
        ),
      );
      return await work(system);
    } finally {
      await system.close();
    }
  };
  const subscribe = (system: System) =>
    createSubscription(
      system,
      { team: commons.team, url: hook.url, events: ['resource.approved'] },
      newSigningSecret(randomBytes),
      context(),
    );
  /** A subscription, three submissions, and one approval that was delivered: everything has worked once. */
  const prepare = () =>
    withSystem(async (system) => {
      const { outcome } = await subscribe(system);
      await visible(system.documents, [subscriptions.collection.name], outcome.position, 20_000);
      const first = await submit(system, 'First');
      await approveByCommandLine(first);
      await until(() => received.length === 1);
      return { a: await submit(system, 'A'), b: await submit(system, 'B'), c: await submit(system, 'C') };
    });
  const delivered = async () => {
    await until(() => received.length >= 4);
    expect(received.sort()).toEqual(['A', 'B', 'C', 'First']);
  };

  it('bring what was approved while no node ran, after many submissions', async () => {
    const node = await serve();
    const { a, b, c } = await prepare();
    await withSystem((system) => submitMany(system, 120));
    await node.stop();
    for (const each of [a, b, c]) await approveByCommandLine(each);
    await restartServer();
    await serve();
    await delivered();
    // Until a release of the server does not lose it any more, the first one was found by the reconciler.
    const repaired = await until(async () => {
      const { stdout } = await start('src/main.js', ['status', '--json'], data.path, settings).ended;
      const { reconciler, parked } = (JSON.parse(stdout) as Status).webhooks;
      return parked === 0 && reconciler?.lag.events === 0 && reconciler.repaired;
    });
    expect(repaired).toBeGreaterThanOrEqual(1);
  });

  it('bring what was approved while no dispatcher ran, before many submissions', async () => {
    const node = await serve();
    const { a, b, c } = await prepare();
    await node.stop();
    const without = await serve({ ROLES: 'api,projector' });
    for (const each of [a, b, c]) await approveByCommandLine(each);
    await withSystem((system) => submitMany(system, 120));
    await without.stop();
    await restartServer();
    await serve();
    await delivered();
  });

  it('bring what was approved under a namespace, with many events of another product between', async () => {
    settings['EVENTSTORE_NAMESPACE'] = 'ours';
    const node = await serve();
    const { a, b, c } = await prepare();
    await node.stop();
    const other = EventStoreDBClient.connectionString(server.url);
    const appendOthers = async () => {
      for (let n = 0; n < 120; n++)
        await other.appendToStream('other-1', jsonEvent({ type: 'Other', data: { n } }));
    };
    await appendOthers();
    for (const each of [a, b, c]) {
      await approveByCommandLine(each);
      await appendOthers();
    }
    await other.dispose();
    await restartServer();
    await serve();
    await delivered();
    await withSystem(async ({ store }) => {
      expect(await store.count({ after: beginning, filter: { types: ['DeliveryScheduled'] } })).toBe(4);
    });
  });
});
