import { workerData } from 'node:worker_threads';
import { openSystem } from '../../container.ts';
import { emptyCaches } from '../../dispatch/context.ts';
import { dispatch } from '../../dispatch/dispatcher.ts';
import { pauseRule } from '../../dispatch/delivery-policy.ts';
import { createSender } from '../../dispatch/attempts/sender.ts';
import { Outbox } from '../../mail/outbox.ts';
import { webhookPolicy } from '../../dispatch/operations/destination-policy.ts';
import { runUntilStopped, tell, tellFault, type ThreadData } from './thread.ts';
import { familiesOfThread } from './thread-families.ts';
import { tracesOfThread } from './thread-traces.ts';

/** The dispatcher thread: sends webhooks. */
const { config, writer, instance } = workerData as ThreadData;
const traces = await tracesOfThread('dispatcher', config, instance);
const families = await familiesOfThread('dispatcher', config);
const system = await openSystem(config, writer, { sideThread: true });
const { store, documents, side, vault, personal, leases, shards, masterKey } = system;
const dispatching = {
  store,
  documents,
  side,
  vault,
  personal,
  leases,
  shards,
  sender: createSender({ policy: webhookPolicy(config) }),
  ...(config.webhookSchedule ? { delays: config.webhookSchedule.map((seconds) => seconds * 1_000) } : {}),
  pauseRule,
  heldMs: config.webhookHeldMs,
  attemptsUnderWay: config.webhookConcurrency,
  outbox: new Outbox({ side, masterKey }),
  base: config.baseUrl ?? `http://localhost:${config.port}`,
  timeZone: config.timeZone,
  caches: emptyCaches(),
  now: () => new Date(),
  random: Math.random,
  onFault: (what: string) => (error: unknown) => tellFault(what, error),
  onRepaired: (events: number) =>
    tell({
      kind: 'warning',
      what: 'fan-out',
      message: `${events} ${events === 1 ? 'event' : 'events'} that the event store had not handed over, found by the reconciler; their deliveries are scheduled now`,
    }),
};
await runUntilStopped((signal) => dispatch(dispatching, signal), system.lost, families);
await Promise.all([system.close(), traces.stop()]);
traces.leave();
