import { causeOf, commandImport, importRunOf } from '../commands/directory/import.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { shownWithin } from '../projections/until-shown.ts';
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
import { undoRecords, visibleWithinMs, type UndoneRecords } from './undo-records.ts';

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
