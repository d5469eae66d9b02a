import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandApiKey, createApiKey } from '../../src/commands/keys.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { commons } from '../../src/events/teams.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { projections } from '../../src/projections/all.ts';
import { resources } from '../../src/projections/directory/resources.ts';
import { apiKeys } from '../../src/projections/keys.ts';
import { projectingLease } from '../../src/projections/engine/projector-takeover.ts';
import { subscriptions } from '../../src/projections/webhooks/subscriptions.ts';
import { statusOf, visible } from '../../src/projections/engine/read-your-writes.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { receiver, type Receiver } from '../dispatch/receivers.ts';
import { start, type Running } from '../faults/processes.ts';
import { dropDatabase, engines, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

const revocationRounds = Number(process.env['REVOCATION_ROUNDS'] ?? 1_000);
const subscribers = 24;
const reason = engines === 'servers' ? missing : 'several nodes need MongoDB';

interface Node {
  readonly origin: string;
  readonly process: Running;
}

/** Several processes on the same servers, as they would run on machines of their own: no folder is shared. */
describe.skipIf(reason)(onEngines('several nodes', reason), () => {
  const shared = temporaryFolder();
  const folders = Array.from({ length: 6 }, temporaryFolder);
  const settings = { ...engineSettings(shared.path), ALLOW_PRIVATE_WEBHOOKS: 'true' };
  const received = new Map<string, number>();
  let approved = 0;
  let apis: Node[];
  let projectors: Running[];
  let dispatchers: Running[];
  let beside: System;
  let hook: Receiver;
  /** How long the receiver takes to answer. */
  let slowMs = 0;

  const node = (n: number, roles: string) =>
    start('src/main.js', ['serve', '--json'], folders[n]?.path ?? '', {
      ...settings,
      ROLES: roles,
      RATE_LIMIT_PER_MINUTE: '1000000',
    });
  const originOf = (process: Running) =>
    until(() => {
      const line = process.written().split('\n')[0];
      return line?.startsWith('{') && (JSON.parse(line) as { listening: string }).listening;
    });
  const ready = (origin: string) => until(async () => (await fetch(`${origin}/readyz`)).ok);

  beforeAll(async () => {
    hook = await receiver((response, { headers }) => {
      const delivery = String(headers['x-service-delivery']);
      received.set(delivery, (received.get(delivery) ?? 0) + 1);
      setTimeout(() => response.writeHead(200).end(), slowMs);
    });
    projectors = [node(0, 'projector')];
    const processes = [node(1, 'api'), node(2, 'api')];
    apis = await Promise.all(
      processes.map(async (process) => ({ process, origin: await originOf(process) })),
    );
    await Promise.all(apis.map(({ origin }) => ready(origin)));
    projectors.push(node(3, 'projector'));
    dispatchers = [node(4, 'dispatcher'), node(5, 'dispatcher')];
    beside = await openSystem(readConfig({ DATA_DIR: shared.path, ...settings }));
  });
  afterAll(async () => {
    for (const each of [...apis.map(({ process }) => process), ...projectors, ...dispatchers])
      await each.stop();
    await beside.close();
    await hook[Symbol.asyncDispose]();
    await dropDatabase(shared.path);
    for (const folder of [shared, ...folders]) folder.remove();
  });

  const context = () => ({
    actor: { kind: 'system', id: 'test' } as const,
    commandId: crypto.randomUUID(),
    at: new Date(),
  });
  const shown = (position: bigint, timeoutMs?: number) =>
    visible(beside.documents, [apiKeys.collection.name], position, timeoutMs);
  const newKey = () => {
    const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
    return createApiKey(beside, wish, randomBytes(32), context());
  };
  const statuses = (key: string | undefined) =>
    Promise.all(
      apis.map(async ({ origin }) => {
        const headers = { authorization: `Bearer ${key ?? ''}` };
        return (await fetch(`${origin}/dash/api/v1/resources?limit=1`, { headers })).status;
      }),
    );
  async function approve(name: string): Promise<void> {
    const fields = { name, category: 'food' } as const;
    const { state } = await submitResource(beside, { team: commons.team, fields }, context());
    await commandResource(beside, state?.svc_id ?? '', { kind: 'approve' }, context());
  }
  async function approveMany(resources: number): Promise<void> {
    for (let n = 0; n < resources; n++) await approve(`Resource ${approved++}`);
  }
  const allDelivered = () => until(async () => (await count('DeliverySucceeded')) === approved * subscribers);
  /** Deliveries that arrived more often than the log has attempts of them. */
  async function unaccounted(): Promise<string[]> {
    const filter = { types: ['DeliverySucceeded', 'DeliveryAttemptFailed'] };
    const { events } = await beside.store.readAll({ after: beginning, filter, limit: 100_000 });
    const attempts = Map.groupBy(events, ({ stream }) => stream.replace('webhook-delivery-', ''));
    return [...received].flatMap(([id, times]) => (times > (attempts.get(id)?.length ?? 0) ? [id] : []));
  }
  const count = (type: string) => beside.store.count({ after: beginning, filter: { types: [type] } });

  it(`refuse a revoked key from the next request on, each of them, ${revocationRounds} times`, async () => {
    for (let round = 0; round < revocationRounds; round++) {
      const made = await newKey();
      await shown(made.outcome.position);
      expect(await statuses(made.key)).toEqual([200, 200]);
      const { position } = await commandApiKey(beside.store, made.keyId, { kind: 'revoke' }, context());
      await shown(position);
      expect(await statuses(made.key), `round ${round}`).toEqual([401, 401]);
    }
  }, 1_800_000);

  it('send each delivery from one dispatcher alone', async () => {
    const made = [];
    for (let n = 0; n < subscribers; n++) {
      const wish = { team: commons.team, url: hook.url, events: ['resource.approved'] } as const;
      made.push(await createSubscription(beside, wish, newSigningSecret(randomBytes), context()));
    }
    await visible(beside.documents, [subscriptions.collection.name], made.at(-1)?.outcome.position ?? 0n);
    // A dispatcher that is given no processor for five seconds loses its leases. What it was sending is then sent again
    // by another, and the log says so. Such a round shows nothing of the others.
    for (let interrupted = -1; interrupted !== 0;) {
      const [before, failures] = [new Set(received.keys()), await count('DeliveryAttemptFailed')];
      await approveMany(20);
      await allDelivered();
      expect(received.size).toBe(approved * subscribers);
      expect(await unaccounted()).toEqual([]);
      interrupted = (await count('DeliveryAttemptFailed')) - failures;
      const often = [...received].filter(([id, times]) => !before.has(id) && times !== 1);
      if (interrupted === 0) expect(often).toEqual([]);
    }
  }, 600_000);

  it('deliver everything when a dispatcher is killed, and twice only what it died holding', async () => {
    slowMs = 200;
    const before = received.size;
    await approveMany(10);
    await until(() => received.size > before + 10);
    expect(await dispatchers[0]?.kill()).toBe(true);
    await allDelivered();
    expect(received.size).toBe(approved * subscribers);
    expect(await unaccounted()).toEqual([]);
    const twice = [...received.values()].filter((times) => times > 1).length;
    expect(twice).toBeLessThanOrEqual(await count('DeliveryAttemptFailed'));
  });

  it('show changes again within 15 s after the projector was killed', async () => {
    // Whoever holds the lease now is the one to kill.
    const [holder, standby] = projectors as [Running, Running];
    expect(await beside.leases.tryAcquire(projectingLease)).toBeUndefined();
    await holder.kill();
    const killedAt = performance.now();
    const made = await newKey();
    await shown(made.outcome.position, 30_000);
    const tookMs = performance.now() - killedAt;
    expect(await statuses(made.key)).toEqual([200, 200]);
    expect(tookMs).toBeLessThan(15_000);
    expect(standby.written()).not.toBe('');
  });

  it('answer every request while one after the other is stopped and started anew', async () => {
    const made = await newKey();
    await shown(made.outcome.position);
    const headers = { authorization: `Bearer ${made.key ?? ''}` };
    const over = new AbortController();
    const answers: number[] = [];
    // As a proxy does: asks a node that says it is ready, and the other when a connection is refused.
    const asking = (async () => {
      while (!over.signal.aborted) {
        for (const { origin } of apis) {
          const answer = await fetch(`${origin}/dash/api/v1/resources?limit=1`, { headers }).catch(
            () => undefined,
          );
          if (answer === undefined) continue;
          answers.push(answer.status);
          break;
        }
      }
    })();
    for (const n of [0, 1]) {
      expect((await apis[n]?.process.stop())?.code).toBe(0);
      const process = node(n + 1, 'api');
      const origin = await originOf(process);
      await ready(origin);
      apis[n] = { process, origin };
    }
    over.abort();
    await asking;
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((status) => status !== 200)).toEqual([]);
  });

  it('never answer from a half-built read model, while all are built anew under load', async () => {
    const made = await newKey();
    await shown(made.outcome.position);
    const headers = { authorization: `Bearer ${made.key ?? ''}` };
    const listed = () =>
      Promise.all(
        apis.map(async ({ origin }) => {
          const answer = await fetch(`${origin}/dash/api/v1/resources?limit=100`, { headers });
          return ((await answer.json()) as { data: readonly unknown[] }).data.length;
        }),
      );
    const [before] = await listed();
    expect(before).toBeGreaterThanOrEqual(30);
    const rebuild = start('src/main.js', ['rebuild', '--json'], folders[0]?.path ?? '', settings);
    const over = new AbortController();
    void rebuild.ended.then(() => over.abort());
    let approved = before ?? 0;
    for (; !over.signal.aborted && approved < 100; approved++) {
      await approve(`Resource under rebuild ${approved}`);
      await visible(beside.documents, [resources.collection.name], await beside.store.head());
      expect(await listed()).toEqual([approved + 1, approved + 1]);
    }
    const { code, stdout, stderr } = await rebuild.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toHaveLength(projections.length);
    expect(await listed()).toEqual([approved, approved]);
  });

  // The last: nothing takes back an event that cannot be folded.
  it('go on where projections throw: they alone stand still, and status and health name them', async () => {
    const event = {
      id: crypto.randomUUID(),
      type: 'TeamCreated',
      data: { team: 'poison', name: 'Poison' },
      metadata: { commonweal_schema: 0 },
    };
    // No upcaster leads from that version to ours.
    await beside.store.append('team-poison', [event], 'no_stream');
    const made = await newKey();
    await shown(made.outcome.position);
    expect(await statuses(made.key)).toEqual([200, 200]);
    const failed = async () =>
      (await statusOf(beside, projections)).filter(({ failure }) => failure).map(({ name }) => name);
    // The index of the audit log has every event.
    const folding = ['audit-events', 'teams'];
    await until(async () => (await failed()).length >= folding.length);
    expect((await failed()).sort()).toEqual(folding);
    for (const { origin } of apis)
      await until(async () => {
        const health = await fetch(`${origin}/readyz`);
        const text = await health.text();
        return (
          health.status === 503 &&
          folding.every((name) => text.includes(`The read model ${name} has stood still`))
        );
      });
    await approve('Resource after the poison');
    await visible(beside.documents, [resources.collection.name], await beside.store.head());
    expect(await statuses(made.key)).toEqual([200, 200]);
  });
});
