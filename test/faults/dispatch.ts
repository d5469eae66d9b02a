import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { commons } from '../../src/events/teams.ts';
import { fanOutGroup } from '../../src/dispatch/fan-out.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { beginning, type RecordedEvent } from '../../src/stores/event-store/port.ts';
import { openAttempts } from '../dispatch/harness.ts';
import { receiver, type Received } from '../dispatch/receivers.ts';
import { dropDatabase, engineSettings, isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import type { Chance } from './seeded-random.ts';
import { byStream, disorderIn, lostSince, readLog } from './log.ts';
import { endedBadly, servedBadly, start } from './processes.ts';
import type { Round, RoundReport } from './round.ts';
import { differencesFromRebuild } from './read-models.ts';

const subscribers = 3;
const settings = {
  ROLES: 'projector,dispatcher',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  WEBHOOK_SCHEDULE: '0,0.05,0.1,0.2,0.5,1,2,2,2,2',
};
/** The schedule has ten attempts: what a receiver refuses and what kills interrupt must leave one over. */
const refusals = 4;
const patienceMs = 120_000;

/** A dispatcher that is killed leaves no delivery out, sends none without accounting for it, and finishes. */
export const dispatchRounds =
  (approvals: number): Round =>
  async (chance) => {
    const scene = temporaryFolder();
    try {
      return await round(scene.path, chance, approvals);
    } finally {
      await dropDatabase(scene.path);
      scene.remove();
    }
  };

/** What a receiver has seen and said of one delivery. */
interface Seen {
  readonly bodies: Set<string>;
  requests: number;
  acknowledged: number;
  unsigned: number;
}

async function round(dataDir: string, chance: Chance, approvals: number): Promise<RoundReport> {
  const violations: string[] = [];
  const seen = new Map<string, Seen>();
  const secrets: string[] = [];
  await using to = await receiver((response, request) => {
    const of = take(seen, request, secrets);
    const refused = of.requests <= refusals && chance.happens(0.35);
    if (!refused) of.acknowledged += 1;
    const answer = () => response.writeHead(refused ? 500 : 200).end();
    // Some answers take their time, so that kills find attempts under way.
    if (chance.happens(0.3)) void sleep(chance.between(0, 60)).then(answer);
    else answer();
  });
  const base = to.url.replace('/hook', '');
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir), ...settings }));
  await commandTeam(system.store, { kind: 'create', ...commons }, asOperator());
  for (let n = 0; n < subscribers; n++) {
    const wish = { team: commons.team, url: `${base}/${n}`, events: ['resource.approved'] } as const;
    const made = await createSubscription(system, wish, newSigningSecret(randomBytes), asOperator());
    secrets.push(made.secret ?? '');
  }
  const approving = () =>
    Promise.all(
      Array.from({ length: approvals / 2 }, async (_, n) => {
        const fields = { name: `Resource ${n}`, category: 'food' } as const;
        const { state } = await submitResource(system, { team: commons.team, fields }, asOperator());
        await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, asOperator());
      }),
    );
  // Half of the work waits when the first server starts, half comes while it is at it.
  await approving();

  let kills = 0;
  let before: readonly RecordedEvent[] = [];
  const rounds = chance.count(1, 3);
  for (let n = 0; n < rounds; n++) {
    const server = start('src/main.js', ['serve'], dataDir, settings);
    const more = n === 0 ? approving() : undefined;
    const killed = await server.killAfter(chance.between(600, 2_500));
    if (killed) kills += 1;
    await more;
    violations.push(...servedBadly(killed, await server.ended), ...complaintsOf(await server.ended));
    const events = await readLog(dataDir);
    violations.push(...lostSince(before, events));
    before = events;
  }

  const server = start('src/main.js', ['serve'], dataDir, settings);
  const deadline = Date.now() + patienceMs;
  const delivered = () => system.store.count({ after: beginning, filter: { types: ['DeliverySucceeded'] } });
  const gone = new AbortController();
  void server.ended.then(() => gone.abort());
  await until(
    async () =>
      (await delivered()) >= approvals * subscribers || Date.now() > deadline || gone.signal.aborted,
  );
  if (gone.signal.aborted) violations.push(...servedBadly(false, await server.ended));
  const ended = await server.stop();
  violations.push(...endedBadly('serve', ended, 'told'), ...complaintsOf(ended));

  const parked = await system.store.parked(fanOutGroup);
  if (parked.length > 0) violations.push(`${parked.length} events are parked`);
  const left = await openAttempts(system.side);
  if (left.length > 0) violations.push(`${left.length} attempts are noted and not settled`);
  await system.close();
  const events = await readLog(dataDir);
  violations.push(...lostSince(before, events), ...disorderIn(events));
  violations.push(...unaccounted(events, seen, approvals * subscribers));
  // Built from a copy of the files.
  if (isEmbedded) violations.push(...(await differencesFromRebuild(dataDir)));
  return {
    kills,
    events: events.length,
    facts: {
      deliveries: approvals * subscribers,
      requests: [...seen.values()].reduce((sum, each) => sum + each.requests, 0),
      interrupted: events.filter(isInterrupted).length,
    },
    violations,
  };
}

const asOperator = () => ({
  actor: { kind: 'system', id: 'faults' } as const,
  commandId: crypto.randomUUID(),
  at: new Date(),
});

function take(seen: Map<string, Seen>, { headers, body, path }: Received, secrets: readonly string[]): Seen {
  const id = String(headers['x-service-delivery']);
  const of = seen.get(id) ?? { bodies: new Set(), requests: 0, acknowledged: 0, unsigned: 0 };
  seen.set(id, of);
  of.requests += 1;
  of.bodies.add(body.toString());
  const secret = secrets[Number(path?.slice(1))] ?? '';
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  if (headers['x-service-signature'] !== signature) of.unsigned += 1;
  return of;
}

/** A fault on our own side is none that a kill explains. */
const complaintsOf = ({ stderr }: { readonly stderr: string }): string[] =>
  stderr.trim() === '' ? [] : [`serve complained: ${stderr.trim().slice(0, 500)}`];

const isInterrupted = ({ type, data }: RecordedEvent): boolean =>
  type === 'DeliveryAttemptFailed' && (data as { error: string }).error.startsWith('Interrupted');

/** What the log and the receiver say differently of the deliveries. */
function unaccounted(
  events: readonly RecordedEvent[],
  seen: ReadonlyMap<string, Seen>,
  expected: number,
): string[] {
  const violations: string[] = [];
  const streams = byStream(events);
  const of = (type: string) => events.filter((each) => each.type === type);
  const pair = (event: string, subscription: string) => `${event} to ${subscription}`;
  const due = of('ResourceApproved').flatMap(({ id }) =>
    of('SubscriptionCreated').map(({ data }) => pair(id, (data as { subscription: string }).subscription)),
  );
  if (due.length !== expected) violations.push(`${due.length} deliveries are due, and not ${expected}`);
  const scheduled = of('DeliveryScheduled').map(({ data }) => {
    const { source, subscription } = data as { source: { event_id: string }; subscription: string };
    return pair(source.event_id, subscription);
  });
  const once = new Set(scheduled);
  const missing = due.filter((each) => !once.has(each)).length;
  if (missing > 0) violations.push(`${missing} deliveries were never scheduled`);
  if (once.size !== scheduled.length) violations.push('an event is scheduled twice for one subscription');
  if (scheduled.length > due.length) violations.push('more is scheduled than is due');

  for (const [stream, [first, ...attempts]] of streams) {
    if (first?.type !== 'DeliveryScheduled') continue;
    const says = seen.get(stream.replace('webhook-delivery-', ''));
    const types = attempts.map(({ type }) => type);
    const complain = (what: string) => violations.push(`${stream}: ${what} (${types.join(', ')})`);
    if (types.indexOf('DeliverySucceeded') !== types.length - 1 || types.length === 0)
      complain('not delivered');
    if (attempts.some(({ data }, n) => (data as { attempt: number }).attempt !== n + 1))
      complain('misnumbered');
    const requests = says?.requests ?? 0;
    const certain = attempts.filter((each) => !isInterrupted(each)).length;
    if (requests > attempts.length) complain(`${requests} requests for ${attempts.length} attempts`);
    if (requests < certain) complain(`${requests} requests for ${certain} attempts that ended`);
    if (says?.acknowledged === 0) complain('succeeded without an acknowledgement');
    if (says && says.bodies.size !== 1) complain(`${says.bodies.size} different bodies`);
    if (says && says.unsigned > 0) complain(`${says.unsigned} requests not signed`);
  }
  for (const id of seen.keys()) {
    if (!streams.has(`webhook-delivery-${id}`)) violations.push(`${id} was sent but never scheduled`);
  }
  return violations;
}
