import { commandOrganization } from '../commands/directory/organization.ts';
import { commandResource } from '../commands/directory/resource.ts';
import { closedEventOf, reopenedEventOf } from '../commands/teams/closing.ts';
import { findTeam, openForMs } from '../commands/teams/team.ts';
import { uuidOf } from '../events/ids.ts';
import { withoutRequest, type CommandContext } from '../events/metadata.ts';
import { pause } from '../ground/back-off.ts';
import { throttle } from '../ground/throttle.ts';
import { organizations } from '../projections/directory/organizations.ts';
import { resources } from '../projections/directory/resources.ts';
import { shownWithin, type Change } from '../projections/until-shown.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import {
  inTurn,
  TeamJobs,
  type JobParts,
  type JobState,
  type RunningJob,
  type RunOptions,
  type WorkOfTeam,
} from './team-jobs.ts';
import { LastChanges, undoRecords, visibleWithinMs } from './undo-records.ts';

export interface ClosingParts extends JobParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly leases: Leases;
  readonly personal: PersonalData;
  /** Awaited before each record. Default: it takes at most half of the thread. */
  readonly rest?: () => Promise<void> | undefined;
}

/** So many things were taken out, or put back. */
export interface MovedRecords {
  readonly moved: number;
}

type Running = RunningJob<JobState, MovedRecords>;

/** A closing or a reopening that is about to stand in the stream of its team. */
export type NewClosing = WorkOfTeam & RunOptions & Pick<JobState, 'actor' | 'total'>;

const perPage = 500;
const atOnce = 16;
/** How long a job waits for the decision that it follows. Without one, nothing is done. */
const decidedWithinMs = 30_000;
const againMs = 100;

/**
 * What follows the closing of a team for its directory, and the end of that: what is public is taken out, one event for each
 * record and organization, and put back. Everything else that closing stops is decided from the team itself. The jobs are
 * written down before the decision, so that one that was cut off is gone on with.
 */
export class ClosingJobs {
  readonly #parts: ClosingParts;
  readonly #closings: TeamJobs<JobState, MovedRecords>;
  readonly #reopenings: TeamJobs<JobState, MovedRecords>;
  readonly #now: () => Date;

  constructor(parts: ClosingParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => new Date());
    const kindOf = (
      name: string,
      work: (of: WorkOfTeam, running: Running) => Promise<MovedRecords>,
    ): TeamJobs<JobState, MovedRecords> =>
      new TeamJobs(parts, {
        states: `team-${name}`,
        reports: `team-${name}-reports`,
        work: (of, _, running) => work(of, running),
        hasEnded: () => Promise.resolve(true),
      });
    this.#closings = kindOf('closing', (of, running) => this.#takeOut(of, running));
    this.#reopenings = kindOf('reopening', (of, running) => this.#putBack(of, running));
  }

  /** Closes a team, and takes out what it has public. `decide`: appends the decision, or is refused. */
  close = <Outcome>(closing: NewClosing, decide: () => Promise<Outcome>) =>
    this.#begin(this.#closings, closing, decide);

  /** Opens a team again, and puts back what its closing has taken out. */
  reopen = <Outcome>(closing: NewClosing, decide: () => Promise<Outcome>) =>
    this.#begin(this.#reopenings, closing, decide);

  /** Goes on with what was interrupted. Resolves before that has ended. */
  async tend(): Promise<void> {
    await Promise.all([this.#closings.tend(), this.#reopenings.tend()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#closings.stop(), this.#reopenings.stop()]);
  }

  async #begin<Outcome>(
    jobs: TeamJobs<JobState, MovedRecords>,
    { team, id, actor, total, ...options }: NewClosing,
    decide: () => Promise<Outcome>,
  ): Promise<{ readonly decided: Outcome; readonly ended: Promise<MovedRecords> }> {
    const of = { team, id };
    const state = { team, actor, began_at: this.#now().toISOString(), done: 0, total };
    await jobs.put(of, state);
    const decided = await decide();
    const ended = jobs.run(of, state, options);
    // Whoever began it may no longer wait.
    ended.catch(() => undefined);
    return { decided, ended };
  }

  async #takeOut(of: WorkOfTeam, { signal, context, begin, onProgress }: Running): Promise<MovedRecords> {
    const { documents, leases, rest = throttle() } = this.#parts;
    const { team, id } = of;
    if (!(await this.#isDecided(of, 'closed', signal))) return { moved: 0 };
    return inTurn(leases, leaseOf(team), signal, async (lost) => {
      await begin();
      // Until then other nodes may let something through: see refuseClosed.
      const settledAt = performance.now() + openForMs;
      const causationId = closedEventOf(team, id);
      const ofOne = (about: string): CommandContext => ({
        ...withoutRequest(context()),
        ...{ correlationId: id, causationId, commandId: uuidOf('closing', id, about) },
      });
      let moved = 0;
      const changes = new LastChanges();
      // Until nothing is public: what was being approved when the team was closed is found in the next round.
      for (;;) {
        const waiting = await this.#publicThings(team);
        const before = moved;
        const worker = async () => {
          for (let next = waiting.pop(); next; next = waiting.pop()) {
            lost.throwIfAborted();
            await rest();
            const outcome = await next(ofOne);
            changes.add(outcome);
            if (outcome.events.length > 0) onProgress({ done: ++moved });
          }
        };
        await Promise.all(Array.from({ length: atOnce }, worker));
        await shownWithin(documents, changes.all, visibleWithinMs);
        if ((await this.#closingNow(team)) !== id) return { moved };
        if (moved > before) continue;
        const unsettledMs = settledAt - performance.now();
        if (unsettledMs <= 0) return { moved };
        await pause(unsettledMs, lost);
      }
    });
  }

  /** What takes out each of the next things that are public. */
  async #publicThings(
    team: string,
  ): Promise<((ofOne: (about: string) => CommandContext) => Promise<Moved>)[]> {
    const { store, personal, documents } = this.#parts;
    const where = { team, status: 'approved' } as const;
    const [records, named] = await Promise.all([
      documents.collection(resources.collection).page({ where, orderBy: ['number'], limit: perPage }),
      documents
        .collection(organizations.collection)
        .page({ where, orderBy: ['name_key', 'org_id'], limit: perPage }),
    ]);
    const command = { kind: 'deactivate', reason: 'The team was closed.', asTeam: team } as const;
    return [
      ...records.map(
        ({ svc_id }) =>
          (ofOne: (about: string) => CommandContext): Promise<Moved> =>
            commandResource({ store, personal }, svc_id, command, ofOne(svc_id)),
      ),
      ...named.map(
        ({ org_id }) =>
          (ofOne: (about: string) => CommandContext): Promise<Moved> =>
            commandOrganization({ store, personal }, org_id, command, ofOne(org_id)),
      ),
    ];
  }

  async #putBack(of: WorkOfTeam, { signal, context, begin, onProgress }: Running): Promise<MovedRecords> {
    const { store, documents, leases, rest = throttle() } = this.#parts;
    const { team, id } = of;
    if (!(await this.#isDecided(of, 'open', signal))) return { moved: 0 };
    return inTurn(leases, leaseOf(team), signal, async (lost) => {
      await begin();
      const { report, changes } = await undoRecords(
        {
          ...{ store, documents, context, rest, signal: lost },
          onProgress: (done) => onProgress({ done }),
        },
        { correlationId: id, causationId: closedEventOf(team, id), reason: 'The team was opened again.' },
        reopenedEventOf(team, id),
      );
      await shownWithin(documents, changes, visibleWithinMs);
      return { moved: report.returned + (report.organizations?.returned ?? 0) };
    });
  }

  /** Whether the team has come to be so by this closing, or soon does. */
  async #isDecided(
    { team, id }: WorkOfTeam,
    wanted: 'closed' | 'open',
    signal: AbortSignal,
  ): Promise<boolean> {
    const until = performance.now() + decidedWithinMs;
    for (;;) {
      if (((await this.#closingNow(team)) === id) === (wanted === 'closed')) return true;
      if (performance.now() > until) return false;
      await pause(againMs, signal);
      signal.throwIfAborted();
    }
  }

  async #closingNow(team: string): Promise<string | undefined> {
    return (await findTeam(this.#parts.store, team))?.closing;
  }
}

type Moved = Change & { readonly events: readonly unknown[] };

/** After what else is decided about many records of the team. */
const leaseOf = (team: string): string => `bulk-${team}`;
