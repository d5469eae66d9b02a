import { load } from '../commands/command-handler.ts';
import { bulkOf, causeOfBulk, commandBulk, noBulk } from '../commands/directory/bulk.ts';
import { apiKey } from '../commands/keys.ts';
import { allowedIn } from '../commands/teams/rights.ts';
import { requireTeam } from '../commands/teams/team.ts';
import type { BulkChange, BulkCounts } from '../events/directory/bulk.ts';
import type { Actor } from '../events/metadata.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { throttle } from '../ground/throttle.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import { shownWithin, type Change } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import { BulkDecisions } from './bulk-decisions.ts';
import { ClosingJobs } from './closing-jobs.ts';
import { BulkRecords, BulkTally, isOutcome, type BulkReport, type BulkRun } from './bulk-state.ts';
import {
  inTurn,
  TeamJobs,
  type JobParts,
  type JobState,
  type RunningJob,
  type RunOptions,
  type WorkOfTeam,
} from './team-jobs.ts';
import { LastChanges, undoRecords, visibleWithinMs, type UndoneRecords } from './undo-records.ts';

export interface BulkParts extends JobParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly leases: Leases;
  readonly personal: PersonalData;
  /** Awaited before each record. Default: it takes at most half of the thread. */
  readonly rest?: () => Promise<void> | undefined;
}

/** A bulk action that somebody has decided on. Its records are kept already. */
export interface NewBulk extends RunOptions, WorkOfTeam {
  readonly actor: Actor;
  readonly change: BulkChange;
  readonly number: number;
}

/**
 * Records were decided about at 2,200 a second and shown at 440: it waits for the read models after each part, so that what it says
 * is done can be seen, and the rate is true. A projector that is away holds a part up no longer than this.
 */
const pacedMs = 10_000;

/** Of a team one bulk action, or one undoing of it, runs at a time. The next one waits for its turn. */
const leaseOf = (team: string): string => `bulk-${team}`;

/**
 * One decision about many records, as jobs that outlive the request. Each record is decided about by its own command, whose
 * id follows from the bulk action and the record: a process that goes on with it does nothing twice.
 */
export class BulkJobs {
  readonly records: BulkRecords;
  /** What follows when a team is closed, and opened again. */
  readonly closings: ClosingJobs;
  readonly #parts: BulkParts;
  readonly #runs: TeamJobs<BulkRun, BulkReport>;
  readonly #undos: TeamJobs<JobState, UndoneRecords>;
  readonly #now: () => Date;

  constructor(parts: BulkParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => new Date());
    this.records = new BulkRecords(parts.side, this.#now);
    this.closings = new ClosingJobs(parts);
    this.#runs = new TeamJobs<BulkRun, BulkReport>(parts, {
      states: 'directory-bulk-running',
      reports: 'directory-bulk-reports',
      work: (of, run, running) => this.#carryOut(of, run, running),
      hasEnded: async (id) => (await this.#phase(id)) !== 'begun',
    });
    this.#undos = new TeamJobs<JobState, UndoneRecords>(parts, {
      states: 'directory-bulk-undoing',
      reports: 'directory-bulk-undos',
      work: (of, _, running) => this.#undo(of, running),
      hasEnded: async (id) => (await this.#phase(id)) === 'undone',
    });
  }

  /** What is under way of a bulk action: that itself, or its undoing. */
  async underWay(
    of: WorkOfTeam,
  ): Promise<
    | { readonly undoes: false; readonly state: BulkRun }
    | { readonly undoes: true; readonly state: JobState }
    | undefined
  > {
    const run = await this.#runs.get(of);
    if (run) return { undoes: false, state: run };
    const undoing = await this.#undos.get(of);
    return undoing && { undoes: true, state: undoing };
  }

  report(of: WorkOfTeam): Promise<BulkReport | undefined> {
    return this.#runs.report(of);
  }

  undoReport(of: WorkOfTeam): Promise<UndoneRecords | undefined> {
    return this.#undos.report(of);
  }

  /** Carries out a bulk action, when those before it have ended. If this process stops meanwhile, another goes on. */
  async run(bulk: NewBulk): Promise<BulkReport> {
    return (await this.begin(bulk)).ended;
  }

  /** The same, for whoever goes on once it has begun. */
  async begin({ team, id, actor, change, number, ...options }: NewBulk) {
    const of = { team, id };
    const run = { team, actor, change, began_at: this.#now().toISOString(), done: 0, total: number };
    await this.#runs.put(of, run);
    const command = { kind: 'begin', team, number, change } as const;
    const begun = await commandBulk(this.#parts.store, id, command, options.context());
    return { begun, ended: this.#runs.run(of, run, options) };
  }

  /** Takes back what a bulk action did. @throws CommandRefused not_found, conflict */
  async undo({
    team,
    id,
    actor,
    total,
    ...options
  }: WorkOfTeam & RunOptions & Pick<JobState, 'actor' | 'total'>) {
    const of = { team, id };
    await commandBulk(this.#parts.store, id, { kind: 'begin-undo', asTeam: team }, options.context());
    const state = { team, actor, began_at: this.#now().toISOString(), done: 0, total };
    await this.#undos.put(of, state);
    return this.#undos.run(of, state, options);
  }

  /** Goes on with what was interrupted. Resolves before that has ended. */
  async tend(): Promise<void> {
    await Promise.all([this.#runs.tend(), this.#undos.tend(), this.closings.tend()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#runs.stop(), this.#undos.stop(), this.closings.stop()]);
  }

  async #phase(id: string) {
    return (await bulkOf(this.#parts.store, id))?.phase;
  }

  async #carryOut(
    of: WorkOfTeam,
    { actor, change, total }: BulkRun,
    { signal, context, begin, keep, onProgress }: RunningJob<BulkRun, BulkReport>,
  ): Promise<BulkReport> {
    const { store, documents, leases, rest = throttle() } = this.#parts;
    const { team, id } = of;
    // The process that wrote it down may have stopped before it began.
    if (!(await bulkOf(store, id)))
      await commandBulk(store, id, { kind: 'begin', team, number: total, change }, context());
    return inTurn(leases, leaseOf(team), signal, async (lost) => {
      if ((await this.#phase(id)) !== 'begun') return endedBefore(await this.report(of));
      await begin();
      const changes = new LastChanges();
      const tally = new BulkTally(total);
      const deciding = new BulkDecisions(this.#parts, of, {
        ...{ change, context, changes, rest },
        signal: lost,
      });
      let before: readonly Change[] = [];
      for (let part = 0; tally.stopped === undefined; part += 1) {
        const kept = await this.records.part(of, part);
        if (kept === undefined) break;
        if (isOutcome(kept)) tally.add(kept);
        else {
          const counted = tally.counted;
          const outcome = await deciding.all(kept, {
            onProgress: (done) => onProgress({ done: counted + done }),
            stopped: () => this.#stopped(of, actor),
          });
          // What was stopped is looked at by nobody again.
          tally.add(outcome, outcome.stopped);
          await this.records.putOutcome(of, part, outcome);
          await shownWithin(documents, before, pacedMs);
          before = changes.all;
        }
        onProgress({ done: tally.counted });
      }
      const { counts, report } = tally;
      await keep(report);
      const cause = { causationId: causeOfBulk(id, 'begin') };
      const ended = await commandBulk(store, id, { kind: 'end', counts }, { ...context(), ...cause });
      await this.records.forget(of);
      await shownWithin(documents, [...changes.all, ended], visibleWithinMs);
      return report;
    });
  }

  async #undo(
    of: WorkOfTeam,
    { signal, context, begin, keep, onProgress }: RunningJob<JobState, UndoneRecords>,
  ): Promise<UndoneRecords> {
    const { store, documents, leases, rest = throttle() } = this.#parts;
    const { team, id } = of;
    return inTurn(leases, leaseOf(team), signal, async (lost) => {
      const state = await bulkOf(store, id);
      if (state?.team !== team) throw noBulk();
      if (state.phase === 'undone') return endedBefore(await this.undoReport(of));
      await begin();
      const undoing = causeOfBulk(id, 'begin-undo');
      const { report, changes } = await undoRecords(
        { store, documents, context, rest, signal: lost, onProgress: (done) => onProgress({ done }) },
        { correlationId: id, causationId: causeOfBulk(id, 'begin'), reason: 'The bulk action was undone.' },
        undoing,
      );
      await keep(report);
      const { left_records: _, not_listed: _not, organizations: _of, ...counts } = report;
      const ended = await commandBulk(
        store,
        id,
        { kind: 'end-undo', counts },
        { ...context(), causationId: undoing },
      );
      await shownWithin(documents, [...changes, ended], visibleWithinMs);
      return report;
    });
  }

  /** Why it may not go on: whoever began it lost the right, or somebody has it stopped. */
  async #stopped(of: WorkOfTeam, actor: Actor): Promise<BulkCounts['stopped']> {
    if (await this.records.isCancelled(of)) return 'cancelled';
    return (await mayStillDecide(this.#parts.store, of.team, actor)) ? undefined : 'right';
  }
}

/** What another process has ended while this one waited for its turn. */
function endedBefore<Report>(report: Report | undefined): Report {
  if (report === undefined) throw new CommandRefused('conflict', 'The bulk action has ended already.');
  return report;
}

/** Decided from the streams. Operators may always, unless the team is closed. */
async function mayStillDecide(store: EventStore, team: string, { kind, id }: Actor): Promise<boolean> {
  if (kind === 'user')
    return (await allowedIn(store, { user: id, team, right: 'review records' }))?.closed === false;
  const { scopes, closing } = await requireTeam(store, team);
  if (closing !== undefined || kind !== 'key') return closing === undefined;
  const key = await load(store, apiKey, id);
  return key.state?.status === 'active' && scopes.includes('directory:manage');
}
