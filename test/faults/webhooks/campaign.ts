import { randomBytes, randomUUID } from 'node:crypto';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { commons } from '../../../src/events/teams.ts';
import { createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { parkedWork } from '../../../src/dispatch/backlog.ts';
import { newSigningSecret } from '../../../src/dispatch/signature.ts';
import { beginning, type EventStore } from '../../../src/stores/event-store/port.ts';
import { dropDatabase, engineSettings } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { disorderIn, everyEvent } from '../log.ts';
import { endedBadly, servedBadly, start } from '../processes.ts';
import { chanceOf } from '../seeded-random.ts';
import { accountsOf } from './accounts.ts';
import { chaosReceiver } from './chaos-receiver.ts';

export interface Campaign {
  readonly seed: number;
  readonly deliveries: number;
  readonly subscribers: number;
  readonly kills: number;
  /** How long the last server may take to finish. */
  readonly patienceMs: number;
  readonly tell: (line: string) => void;
}

export interface CampaignReport {
  readonly kills: number;
  readonly delivered: number;
  readonly failed: number;
  readonly interrupted: number;
  readonly requests: number;
  readonly seconds: number;
  readonly violations: readonly string[];
}

/** Short, so that a few deliveries are refused until their schedule ends. */
const schedule = [0, 0.05, 0.1, 0.2, 0.5, 1];
const settings = {
  ROLES: 'projector,dispatcher',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  WEBHOOK_SCHEDULE: schedule.join(),
};
const asOperator = () => ({
  actor: { kind: 'system', id: 'faults' } as const,
  commandId: randomUUID(),
  at: new Date(),
});

/**
 * Sends deliveries to a receiver that answers at random, and kills the dispatcher again and again while events come. Then lets
 * the last one finish, and compares the log with what the receiver has seen.
 */
export async function webhookCampaign(campaign: Campaign): Promise<CampaignReport> {
  const folder = temporaryFolder();
  try {
    return await run(campaign, folder.path);
  } finally {
    await dropDatabase(folder.path);
    folder.remove();
  }
}

async function run(
  { seed, deliveries, subscribers, kills: wanted, patienceMs, tell }: Campaign,
  dataDir: string,
): Promise<CampaignReport> {
  const began = performance.now();
  const chance = chanceOf(seed);
  const violations: string[] = [];
  await using to = await chaosReceiver(chanceOf(seed + 1));
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir), ...settings }));
  const { store } = system;
  await commandTeam(store, { kind: 'create', ...commons }, asOperator());
  for (let n = 0; n < subscribers; n++) {
    const wish = { team: commons.team, url: to.url(n), events: ['resource.approved'] } as const;
    const made = await createSubscription(system, wish, newSigningSecret(randomBytes), asOperator());
    to.secrets.push(made.secret ?? '');
  }
  const events = Math.ceil(deliveries / subscribers);
  const due = events * subscribers;
  /** A part of the events before each start, so that there is work for every server. */
  const approve = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const fields = { name: `Resource ${n}`, category: 'food' } as const;
        const { state } = await submitResource(system, { team: commons.team, fields }, asOperator());
        await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, asOperator());
      }),
    );
  const settled = new SettledDeliveries();
  const counting = settled.follow(store);

  let kills = 0;
  let approved = 0;
  for (let n = 0; n < wanted; n++) {
    const upTo = Math.ceil(((n + 1) * events) / wanted);
    const server = start('src/main.js', ['serve'], dataDir, settings);
    const before = to.seen.size;
    const more = approve(upTo - approved);
    approved = upTo;
    // It is killed when it has begun to send, so that there are attempts to interrupt.
    const gone = new AbortController();
    void server.ended.then(() => gone.abort());
    await until(() => to.seen.size > before || gone.signal.aborted);
    const killed = await server.killAfter(chance.between(50, 2_500));
    if (killed) kills += 1;
    await more;
    violations.push(...servedBadly(killed, await server.ended));
    tell(`kill ${n + 1}: ${settled.count} of ${due} settled`);
  }

  const server = start('src/main.js', ['serve'], dataDir, settings);
  const deadline = performance.now() + patienceMs;
  const gone = new AbortController();
  void server.ended.then(() => gone.abort());
  await until(() => settled.count >= due || performance.now() > deadline || gone.signal.aborted);
  if (gone.signal.aborted) violations.push(...servedBadly(false, await server.ended));
  violations.push(...endedBadly('serve', await server.stop(), 'told'));

  const parked = await parkedWork(system);
  if (parked.events + parked.deliveries > 0) violations.push(`parked: ${JSON.stringify(parked)}`);
  settled.stop();
  await counting;
  const log = await everyEvent(store);
  await system.close();
  const { violations: wrong, ...counts } = accountsOf(log, to.seen, {
    due,
    attemptsOfSchedule: schedule.length,
  });
  violations.push(...disorderIn(log), ...wrong);
  if (kills < wanted) violations.push(`${kills} of ${wanted} servers were at work when they were killed`);
  return {
    kills,
    ...counts,
    requests: [...to.seen.values()].reduce((sum, { requests }) => sum + requests, 0),
    seconds: (performance.now() - began) / 1_000,
    violations,
  };
}

/** How many deliveries have succeeded or failed, counted as the log grows: a count of the whole log each time is dear. */
class SettledDeliveries {
  count = 0;
  readonly #stopped = new AbortController();

  async follow(store: EventStore): Promise<void> {
    const filter = { types: ['DeliverySucceeded', 'DeliveryFailed'] };
    const { signal } = this.#stopped;
    for await (const { events } of store.subscribe({ after: beginning, filter, signal }))
      this.count += events.length;
  }

  stop(): void {
    this.#stopped.abort();
  }
}
