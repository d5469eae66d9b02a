import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { commons } from '../../src/events/teams.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { fanOutGroup } from '../../src/dispatch/fan-out.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { projections } from '../../src/projections/all.ts';
import { nameOf } from '../../src/projections/engine/read-model.ts';
import { visible } from '../../src/projections/engine/read-your-writes.ts';
import { StoreError } from '../../src/stores/errors.ts';
import { receiver } from '../dispatch/receivers.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { chanceOf, type Chance } from './seeded-random.ts';
import { disorderIn, everyEvent } from './log.ts';
import { start } from './processes.ts';

/**
 * Kills the event store under load, and restarts it in good order, again and again in turn, and looks whether
 * anything was lost, doubled or left undone:
 *
 *   EVENTSTORE_URL='esdb://127.0.0.1:2113?tls=false' node test/faults/event-store.ts --command './run-node 2113'
 *
 * The command must run the store in the foreground, and find its data again. Its log must be empty at first, unless
 * --namespace sets this run apart: under a namespace a consumer group is fed nearly everything, and a server has
 * little to forget. Without MONGODB_URL the read models are embedded.
 */
const subscribers = 3;
const backWithinMs = 10_000;
const patienceMs = 180_000;
/** Deliveries that the load may be ahead of. */
const outstandingAtMost = 60;

interface Options {
  readonly command: string;
  readonly kills: string;
  readonly restarts: string;
  readonly namespace?: boolean;
  readonly seed: string;
}

const options = new Command('event-store')
  .requiredOption('--command <line>', 'runs the event store in the foreground')
  .option('--kills <n>', 'how often it is killed', '20')
  .option('--restarts <n>', 'how often it is asked to end, and started again', '20')
  .option('--namespace', 'under a namespace of its own, for a log that holds other things')
  .option('--seed <n>', 'the same kills again', String(Date.now() % 100_000))
  .parse()
  .opts<Options>();

/** How the store ends in each round: in turn, for as long as there are both. */
const endings = (kills: number, restarts: number): readonly NodeJS.Signals[] =>
  Array.from({ length: kills + restarts }, (_, n) => {
    const both = 2 * Math.min(kills, restarts);
    if (n < both) return n % 2 === 0 ? 'SIGTERM' : 'SIGKILL';
    return kills > restarts ? 'SIGKILL' : 'SIGTERM';
  });

async function run({ command, ...options }: Options, chance: Chance): Promise<number> {
  const rounds = endings(Number(options.kills), Number(options.restarts));
  const scene = temporaryFolder();
  const name = `faults-${randomBytes(4).toString('hex')}`;
  const settings = {
    EVENTSTORE_URL: process.env['EVENTSTORE_URL'] ?? 'esdb://127.0.0.1:2113?tls=false',
    ...(options.namespace ? { EVENTSTORE_NAMESPACE: name } : {}),
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...(process.env['MONGODB_URL'] ? { MONGODB_URL: inDatabase(process.env['MONGODB_URL'], name) } : {}),
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOK_SCHEDULE: '0,0.1,0.5,1,2,2,2,2,2',
  };
  const violations: string[] = [];
  const received = new Map<string, number>();
  await using hook = await receiver((response, { headers }) => {
    const delivery = String(headers['x-service-delivery']);
    received.set(delivery, (received.get(delivery) ?? 0) + 1);
    response.writeHead(200).end();
  });
  let eventStore = runStore(command);
  const system = await openSystem(readConfig({ DATA_DIR: scene.path, ...settings }));
  await answers(system);
  const server = start('src/main.js', ['serve', '--json'], scene.path, settings);
  await until(() => server.written() !== '');
  const { listening } = JSON.parse(server.written().split('\n')[0] ?? '') as { listening: string };
  await until(async () => (await fetch(`${listening}/readyz`)).ok);
  for (let n = 0; n < subscribers; n++) {
    const wish = { team: commons.team, url: `${hook.url}/${n}`, events: ['resource.approved'] } as const;
    await createSubscription(system, wish, newSigningSecret(randomBytes), asOperator());
  }
  await allShow(system);

  const load = new Load(system, () => received.size);
  const working = Array.from({ length: 4 }, () => load.work());
  let slowestMs = 0;
  for (const [index, signal] of rounds.entries()) {
    const round = index + 1;
    await sleep(chance.between(300, 2_500));
    await end(eventStore, signal);
    await sleep(chance.between(100, 3_000));
    eventStore = runStore(command);
    await answers(system);
    const answersAt = performance.now();
    // A change made now is shown by every read model, and delivered, once every subscription is back.
    const before = received.size;
    const { position } = await load.approve();
    await visible(system.documents, projections.map(nameOf), position, patienceMs);
    await until(() => received.size > before || performance.now() - answersAt > patienceMs);
    const tookMs = Math.round(performance.now() - answersAt);
    slowestMs = Math.max(slowestMs, tookMs);
    if (tookMs > backWithinMs) violations.push(`round ${round} (${signal}): back after ${tookMs} ms`);
    console.log(
      `round ${round} (${signal}): back after ${tookMs} ms; ${load.approved.size} approved, ${load.unknown} of unknown outcome, ${load.refused} refused, ${received.size} deliveries received`,
    );
  }
  load.stop();
  await Promise.all(working);

  // What was acknowledged is there once; what was of unknown outcome was repeated until it was known.
  const events = await everyEvent(system.store);
  violations.push(...disorderIn(events));
  const approvals = new Map<string, number>();
  for (const { type, stream } of events)
    if (type === 'ResourceApproved') approvals.set(stream, (approvals.get(stream) ?? 0) + 1);
  for (const svcId of load.approved) {
    const times = approvals.get(`resource-${svcId}`) ?? 0;
    if (times !== 1) violations.push(`${svcId} was approved and stands ${times} times in the log`);
  }
  const expected = approvals.size * subscribers;
  const deadline = Date.now() + patienceMs;
  const delivered = () => system.store.count({ after: -1n, filter: { types: ['DeliverySucceeded'] } });
  await until(async () => (await delivered()) >= expected || Date.now() > deadline);
  if ((await delivered()) !== expected)
    violations.push(`${await delivered()} of ${expected} deliveries succeeded`);
  if (received.size !== expected) violations.push(`${received.size} of ${expected} deliveries were received`);

  const parked = await system.store.parked(fanOutGroup);
  if (parked.length > 0) violations.push(`${parked.length} events are parked`);
  const reconciled = await until(async () => {
    const group = await system.store.consumerGroup(fanOutGroup);
    return (
      (group?.lag.events === 0 || Date.now() > deadline) && (group ?? { repaired: 0, lag: { events: NaN } })
    );
  });
  if (reconciled.lag.events !== 0)
    violations.push(`the reconciler is ${reconciled.lag.events} events behind`);

  const ended = await server.stop();
  if (ended.code !== 0) violations.push(`serve ended with ${String(ended.code)}: ${ended.stderr}`);
  await system.close();
  await end(eventStore, 'SIGKILL');
  scene.remove();
  for (const each of violations) console.log(`VIOLATION ${each}`);
  console.log(
    `${options.kills} kills, ${options.restarts} restarts, ${events.length} events, ${expected} deliveries, ${reconciled.repaired} events repaired, slowest return ${slowestMs} ms, ${violations.length} violations`,
  );
  return violations.length === 0 ? 0 : 1;
}

/**
 * Submits and approves, and what fails with the store is repeated under the same command id. It goes as fast as the
 * deliveries follow: how soon the subscriptions are back is the question, and not what a machine can take.
 */
class Load {
  readonly approved = new Set<string>();
  unknown = 0;
  refused = 0;
  #number = 0;
  #stopped = false;
  readonly #system: System;
  readonly #received: () => number;

  constructor(system: System, received: () => number) {
    this.#system = system;
    this.#received = received;
  }

  stop(): void {
    this.#stopped = true;
  }

  async work(): Promise<void> {
    while (!this.#stopped) {
      await this.approve();
      await sleep(20);
      await until(() => this.#stopped || this.#outstanding() < outstandingAtMost);
    }
  }

  #outstanding(): number {
    return this.approved.size * subscribers - this.#received();
  }

  async approve() {
    const fields = { name: `Resource ${(this.#number += 1)}`, category: 'food' } as const;
    const submitting = asOperator();
    const { state } = await this.#retry(() =>
      submitResource(this.#system, { team: commons.team, fields }, submitting),
    );
    const svcId = state?.svc_id ?? '';
    const approving = asOperator();
    const outcome = await this.#retry(() =>
      commandResource(this.#system, svcId, { kind: 'approve' }, approving),
    );
    this.approved.add(svcId);
    return outcome;
  }

  async #retry<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
        if (error.outcome === 'unknown') this.unknown += 1;
        else this.refused += 1;
        await sleep(100);
      }
    }
  }
}

/** A node takes every EVENTSTORE_ variable for an option of its own, and refuses to start with ours. */
function runStore(command: string): ChildProcess {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_')),
  );
  return spawn('sh', ['-c', `exec ${command}`], { stdio: 'ignore', detached: true, env });
}

/** With all that it has started; killed, it has no chance to put anything in order. */
async function end(store: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (store.exitCode !== null) throw new Error(`The event store ended by itself with ${store.exitCode}.`);
  const exited = once(store, 'exit');
  if (store.pid !== undefined) process.kill(-store.pid, signal);
  await exited;
}

const answers = (system: System) =>
  until(() =>
    system.ready().then(
      () => true,
      () => sleep(50, false),
    ),
  );

async function allShow(system: System): Promise<void> {
  await visible(system.documents, projections.map(nameOf), await system.store.head(), patienceMs);
}

const asOperator = () => ({
  actor: { kind: 'system', id: 'operator' } as const,
  commandId: crypto.randomUUID(),
  at: new Date(),
});

function inDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

process.exitCode = await run(options, chanceOf(Number(options.seed)));
