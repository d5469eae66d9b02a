import { causeOf, commandImport, importRunOf } from '../commands/directory/import.ts';
import { undoOrganization } from '../commands/directory/organization.ts';
import { undoResource } from '../commands/directory/resource.ts';
import type { Operation, Undone } from '../commands/directory/undoing.ts';
import { streamId } from '../events/define.ts';
import type { UndoCounts } from '../events/directory/import.ts';
import { organizationStream } from '../events/directory/organization.ts';
import { resourceStream } from '../events/directory/resource.ts';
import { withoutRequest, type CommandContext } from '../events/metadata.ts';
import { streamsOfCorrelation } from '../projections/audit-correlation.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { shownWithin, type Change } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import {
  type JobParts,
  type JobState,
  oneAtATime,
  type RunningJob,
  type RunOptions,
  TeamJobs,
  type WorkOfTeam,
} from './team-jobs.ts';

/** What an operation on many records is undone with. */
export interface UndoParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly context: () => CommandContext;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
  /** Awaited before each record. */
  readonly rest?: (() => Promise<void> | undefined) | undefined;
}

/** A record that stays, in whole or in part. */
export interface LeftRecord {
  readonly svc_id: string;
  readonly name: string;
  /** Fields that were changed since; `record`, which was changed since it was made; `status`. */
  readonly left: readonly string[];
}

/** What undoing came to. */
export interface UndoneRecords extends UndoCounts {
  /** The same of organizations, which the counts above leave out. Absent of undos from before they had records. */
  readonly organizations?: UndoCounts;
  readonly left_records: readonly LeftRecord[];
  readonly not_listed: number;
}

const atOnce = 16;
const mostListed = 10_000;
/** How long an undoing waits until the read models show all. */
export const visibleWithinMs = 600_000;

/**
 * Takes back what an operation has changed, where nobody has changed it since. `undoing`: the event that began it. Doing it
 * again goes on where it was cut off.
 * @throws the reason of the signal
 */
export async function undoRecords(
  { store, documents, context, signal, onProgress, rest }: UndoParts,
  operation: Operation,
  undoing: string,
): Promise<{ readonly report: UndoneRecords; readonly changes: readonly Change[] }> {
  const cause = { correlationId: operation.correlationId, causationId: undoing };
  const of = () => ({ ...withoutRequest(context()), ...cause });
  const counts = { taken_out: 0, revised: 0, returned: 0, left: 0 };
  const organizations = { taken_out: 0, revised: 0, returned: 0, left: 0 };
  const left_records: LeftRecord[] = [];
  let [not_listed, done] = [0, 0];
  const changes = new LastChanges();
  const streams = streamsOfCorrelation(documents, operation.correlationId, {
    upTo: await store.head(),
    timeoutMs: visibleWithinMs,
  });
  const worker = async () => {
    for (;;) {
      signal.throwIfAborted();
      await rest?.();
      const next = await streams.next();
      if (next.done) return;
      const { stream } = next.value;
      if (stream.startsWith(`${organizationStream.name}-`)) {
        const org_id = streamId({ stream }, organizationStream);
        const outcome = await undoOrganization({ store }, org_id, operation, of());
        count(organizations, outcome);
        changes.add(outcome);
        continue;
      }
      if (!stream.startsWith(`${resourceStream.name}-`)) continue;
      const svc_id = streamId({ stream }, resourceStream);
      const outcome = await undoResource({ store }, svc_id, operation, of());
      count(counts, outcome);
      changes.add(outcome);
      if (outcome.left.length > 0) {
        const entry = { svc_id, name: outcome.state?.fields.name ?? svc_id, left: outcome.left };
        if (left_records.length < mostListed) left_records.push(entry);
        else not_listed += 1;
      }
      onProgress(++done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { report: { ...counts, organizations, left_records, not_listed }, changes: changes.all };
}

/** The last change of each kind: who waits for it waits for all. */
export class LastChanges {
  readonly #byTypes = new Map<string, Change>();

  add({ events, types, position }: Change & { readonly events: readonly unknown[] }): void {
    const former = this.#byTypes.get(types.join());
    if (events.length > 0 && !(former && former.position > position))
      this.#byTypes.set(types.join(), { types, position });
  }

  get all(): readonly Change[] {
    return [...this.#byTypes.values()];
  }
}

/** Counts what undoing came to for one record or organization. */
function count(counts: { -readonly [Name in keyof UndoCounts]: number }, { undone, left }: Undone): void {
  const has = (...steps: readonly string[]): boolean =>
    undone.some((type) => steps.some((step) => type.endsWith(step)));
  const isOut = has('Deactivated', 'Withdrawn');
  if (isOut) counts.taken_out += 1;
  if (has('Revised')) counts.revised += 1;
  // What is public no more may wait for review again.
  if (!isOut && has('Reactivated', 'Resubmitted')) counts.returned += 1;
  if (left.length > 0) counts.left += 1;
}

export type UndoState = JobState;

export interface UndoJobParts extends JobParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly leases: Leases;
}

/** What undoing an import came to, with the records that stay. */
export interface UndoReport extends UndoneRecords {
  readonly import: string;
}

export interface NewUndo extends RunOptions, WorkOfTeam, Pick<JobState, 'actor' | 'total'> {}

/** Undoing imports. It needs no file, so any process goes on with what another one began. Organizations come before records. */
export class UndoJobs {
  readonly #jobs: TeamJobs<UndoState, UndoReport>;
  readonly #now: () => Date;

  constructor(parts: UndoJobParts) {
    this.#now = parts.now ?? (() => new Date());
    this.#jobs = new TeamJobs<UndoState, UndoReport>(parts, {
      states: 'directory-import-undoing',
      reports: 'directory-import-undos',
      work: (of, _, running) => undoImport(parts, of, running),
      hasEnded: async (id) => (await importRunOf(parts.store, id))?.phase === 'undone',
    });
  }

  /** An undoing that is under way. */
  get(team: string, id: string): Promise<UndoState | undefined> {
    return this.#jobs.get({ team, id });
  }

  report(team: string, id: string): Promise<UndoReport | undefined> {
    return this.#jobs.report({ team, id });
  }

  /** Undoes an import. @throws CommandRefused not_found, conflict, also while an import of the team runs */
  undo({ team, id, actor, total, ...options }: NewUndo): Promise<UndoReport> {
    const began_at = this.#now().toISOString();
    return this.#jobs.run({ team, id }, { team, actor, began_at, done: 0, total }, options);
  }

  tend(): Promise<void> {
    return this.#jobs.tend();
  }

  stop(): Promise<void> {
    return this.#jobs.stop();
  }
}

async function undoImport(
  { store, documents, leases }: UndoJobParts,
  { team, id }: WorkOfTeam,
  { signal, context, begin, keep, onProgress }: RunningJob<UndoState, UndoReport>,
): Promise<UndoReport> {
  const run = await importRunOf(store, id);
  if (run?.team !== team) throw new CommandRefused('not_found', 'There is no such import of your team.');
  if (run.phase === 'undone') throw new CommandRefused('conflict', 'The import is undone already.');
  return oneAtATime(leases, team, async (lost) => {
    await begin();
    await commandImport(store, id, { kind: 'begin-undo', asTeam: team }, context());
    const undoing = causeOf(id, 'begin-undo');
    const { report, changes } = await undoRecords(
      {
        ...{ store, documents, context },
        signal: AbortSignal.any([lost, signal]),
        onProgress: (done) => onProgress({ done }),
      },
      { correlationId: id, causationId: causeOf(id, 'begin'), reason: 'The import was undone.' },
      undoing,
    );
    await keep({ import: id, ...report });
    const { left_records: _, not_listed: _not, organizations: _of, ...counts } = report;
    const ended = await commandImport(
      store,
      id,
      { kind: 'end-undo', counts },
      { ...context(), causationId: undoing },
    );
    await shownWithin(documents, [...changes, ended], visibleWithinMs);
    return { import: id, ...report };
  });
}
