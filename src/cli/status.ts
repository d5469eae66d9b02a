import { Command } from 'commander';
import { backupRecord, lateBackup } from '../backup/record.ts';
import { projections } from '../projections/all.ts';
import { foreignEvents } from '../projections/engine/foreign-events.ts';
import { jobFailures } from '../runtime/job-failures.ts';
import { unknownEvents } from '../projections/engine/unknown-events.ts';
import { placesOf } from '../config.ts';
import { statusOf } from '../projections/engine/read-your-writes.ts';
import { fanOutGroup } from '../dispatch/fan-out/fan-out.ts';
import { countedUpTo, parkedWork, pendingWork } from '../dispatch/backlog.ts';
import { deliveries } from '../projections/webhooks/deliveries.ts';
import { withStores, type CommandLine } from './command-line.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { answer, table } from './print.ts';

export function statusCommand(line: CommandLine): Command {
  return new Command('status')
    .description('Show the state of the log, the read models and the webhooks.')
    .action(({ json }: { json?: boolean }) =>
      withStores(line, async (system) => {
        const { store, documents, config } = system;
        const parked = await parkedWork(system);
        const pending = await pendingWork(documents, new Date());
        const foreign = await foreignEvents(system.side);
        const unknown = await unknownEvents(system.side);
        const failing = await jobFailures(system.side);
        const backup = await backupRecord(system.side).newest();
        const late = lateBackup(backup, new Date());
        const { log, readModels } = placesOf(config);
        const status = {
          data_dir: config.dataDir,
          log,
          read_models: readModels,
          head: (await store.head()).toString(),
          projections: await statusOf(system, projections),
          webhooks: {
            pending: pending.count,
            oldest_due_at: pending.oldestDueAt ?? null,
            failed: await documents
              .collection(deliveries.collection)
              .count({ where: { status: 'failed' }, atMost: countedUpTo }),
            parked: parked.events + parked.deliveries,
            parked_events: parked.events,
            parked_deliveries: parked.deliveries,
            reconciler: await reconcilerOf(store),
          },
          nodes: (await system.nodes.present()).map(({ release, projects }) => ({ release, projects })),
          backup: { newest_at: backup?.at ?? null, late: late !== undefined },
          ...(failing.length > 0 ? { failing_jobs: failing } : {}),
          ...(foreign ? { foreign_events: foreign } : {}),
          ...(unknown.length > 0 ? { unknown_events: unknown } : {}),
        };
        const rows = status.projections.map((each) => [
          each.name,
          each.generation ?? '-',
          each.checkpoint ?? '-',
          each.lag,
          each.failure ? `FAILED since ${each.failure.since}: ${each.failure.error}` : 'well',
        ]);
        answer(json, status, [
          `Log ${log}, newest position ${status.head}; read models ${readModels}`,
          table(['READ MODEL', 'GENERATION', 'CHECKPOINT', 'LAG', 'STATE'], rows),
          webhooksLine(status.webhooks),
          reconcilerLine(status.webhooks.reconciler),
          `Nodes that serve: ${status.nodes.map(({ release }) => release).join(', ') || 'none'}`,
          late ?? `Newest backup: ${backup?.at ?? 'none by `commonweal backup`'}`,
          ...failing.map(({ job, since, error }) => `Background job ${job}: FAILED since ${since}: ${error}`),
          ...(foreign
            ? [
                `${foreign.count} events of other products or installations in the same store, passed over; newest ${foreign.newest.type} in ${foreign.newest.stream}`,
              ]
            : []),
          ...unknown.map(
            ({ type, since }) =>
              `UNKNOWN since ${since}: events ${type}, which a newer release wrote and no read model here shows`,
          ),
        ]);
        const isFailing = failing.length > 0 || status.projections.some((each) => each.failure);
        if (isFailing || unknown.length > 0 || late !== undefined) line.exitCode = 1;
      }),
    );
}

interface Deliveries {
  readonly pending: number;
  readonly oldest_due_at: string | null;
  readonly failed: number;
  readonly parked: number;
}

function webhooksLine({ pending, oldest_due_at, failed, parked }: Deliveries): string {
  const many = (count: number) => (count >= countedUpTo ? `${countedUpTo} or more` : String(count));
  const due = oldest_due_at === null ? '' : ` (the oldest due since ${oldest_due_at})`;
  const why = parked === 0 ? '' : '; see "commonweal webhooks parked list"';
  return `Webhooks: ${many(pending)} pending${due}, ${many(failed)} failed, ${parked} parked${why}`;
}

interface ReconcilerStatus {
  readonly checkpoint: string;
  readonly lag: { readonly events: number; readonly seconds: number };
  readonly repaired: number;
  readonly repaired_at: string | null;
}

/** The reconciler of the fan-out: its progress, and how many missed events it has found. */
async function reconcilerOf(store: EventStore): Promise<ReconcilerStatus | null> {
  const group = await store.consumerGroup(fanOutGroup);
  if (!group) return null;
  const { checkpoint, lag, repaired, repairedAt } = group;
  return {
    checkpoint: checkpoint.toString(),
    lag: { events: lag.events, seconds: Math.round(lag.seconds) },
    repaired,
    repaired_at: repairedAt ?? null,
  };
}

function reconcilerLine(reconciler: ReconcilerStatus | null): string {
  if (!reconciler) return 'Fan-out reconciler: has not run yet';
  const { checkpoint, lag, repaired, repaired_at } = reconciler;
  const events = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`;
  const behind = `${events(lag.events)}, ${lag.seconds} s behind`;
  const last = repaired_at === null ? '' : `, last at ${repaired_at}`;
  return `Fan-out reconciler: checkpoint ${checkpoint}, ${behind}; ${events(repaired)} repaired${last}`;
}
