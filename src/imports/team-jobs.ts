import type { Actor, CommandContext } from '../events/metadata.ts';
import { pause } from '../ground/back-off.ts';
import { CommandRefused } from '../ground/refusals.ts';
import type { Lease, Leases } from '../stores/leases/port.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';

/** A job that has begun and has not ended. */
export interface JobState {
  readonly team: string;
  /** On whose behalf, also where another process goes on with it. */
  readonly actor: Actor;
  readonly began_at: string;
  /** What is done, and about how much there is. */
  readonly done: number;
  readonly total: number;
}

export interface JobParts {
  readonly side: SideStore;
  readonly now?: (() => Date) | undefined;
  /** Called with a fault of ours that has interrupted a job. */
  readonly onFault: (error: unknown) => void;
}

/** How the work of a job is done, and where its state and its report are kept. */
export interface JobKind<State extends JobState, Report> {
  readonly states: string;
  readonly reports: string;
  /** @throws CommandRefused where it cannot be done now; the reason of the signal */
  readonly work: (of: WorkOfTeam, state: State, running: RunningJob<State, Report>) => Promise<Report>;
  /** Whether one that was refused has ended before, by a process that stopped before its state was removed. */
  readonly hasEnded: (id: string) => Promise<boolean>;
}

/** What the work of a job is done with. */
export interface RunningJob<State, Report> {
  /** Interrupts it. Whoever begins it again goes on. */
  readonly signal: AbortSignal;
  /** The context of one command. */
  readonly context: () => CommandContext;
  /** Awaited before anything is changed, once it is clear that this process does it. From then on others see how far it is. */
  readonly begin: () => Promise<void>;
  readonly onProgress: (now: Partial<State>) => void;
  /** Keeps what it came to, before it counts as ended. */
  readonly keep: (report: Report) => Promise<void>;
}

export interface RunOptions {
  readonly context: () => CommandContext;
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** What is kept of a job after its end, for so long. */
export const keptMs = 30 * 24 * 60 * 60_000;
/** How often the others are shown how far it is. */
const showEveryMs = 500;

/**
 * Jobs on many records of a team that outlive whoever began them. Which are under way is in the side store, and any process
 * goes on with one whose process has gone.
 */
export class TeamJobs<State extends JobState, Report> {
  readonly #kind: JobKind<State, Report>;
  readonly #onFault: JobParts['onFault'];
  readonly #states: SideTable<State>;
  readonly #reports: SideTable<Report>;
  readonly #stop = new AbortController();
  readonly #working = new Map<string, Promise<Report>>();
  readonly #now: () => Date;

  constructor({ side, now, onFault }: JobParts, kind: JobKind<State, Report>) {
    this.#kind = kind;
    this.#onFault = onFault;
    this.#now = now ?? (() => new Date());
    this.#states = side.table(kind.states);
    this.#reports = side.table(kind.reports);
  }

  /** A job that is under way. */
  get(of: WorkOfTeam): Promise<State | undefined> {
    return this.#states.get(workKey(of));
  }

  /** What a job came to. */
  report(of: WorkOfTeam): Promise<Report | undefined> {
    return this.#reports.get(workKey(of));
  }

  /** Has it done, now or by another process. */
  put(of: WorkOfTeam, state: State): Promise<void> {
    return this.#states.put(workKey(of), state, this.#until());
  }

  /**
   * Does it. If this process stops meanwhile, another goes on. The same job again in this process is the same work.
   * @throws CommandRefused, and the reason when this process stops
   */
  run(of: WorkOfTeam, state: State, options: RunOptions): Promise<Report> {
    const key = workKey(of);
    const running = this.#working.get(key);
    if (running) return running;
    const work = this.#run(of, state, options).finally(() => this.#working.delete(key));
    this.#working.set(key, work);
    return work;
  }

  /** Goes on with what was interrupted. Resolves before that has ended. */
  async tend(): Promise<void> {
    for (const { id: key, value: state } of await this.#states.list()) {
      if (this.#working.has(key)) continue;
      const context = (): CommandContext => ({
        actor: state.actor,
        commandId: crypto.randomUUID(),
        at: this.#now(),
      });
      const of = { team: state.team, id: key.slice(state.team.length + 1) };
      // While another process works on it, the lease of its team is not free.
      this.run(of, state, { context }).catch((error: unknown) => {
        if (!(error instanceof CommandRefused) && !this.#stop.signal.aborted) this.#onFault(error);
      });
    }
  }

  /** Interrupts what this process does, and resolves when that has ended. */
  async stop(): Promise<void> {
    this.#stop.abort(stopped);
    await Promise.allSettled(this.#working.values());
  }

  async #run(of: WorkOfTeam, state: State, { context, onProgress }: RunOptions): Promise<Report> {
    const key = workKey(of);
    let now = state;
    const showing = new AbortController();
    let shown: Promise<void> | undefined;
    const ended = async () => {
      showing.abort();
      await shown;
    };
    try {
      const report = await this.#kind.work(of, state, {
        signal: this.#stop.signal,
        context,
        begin: async () => {
          await this.put(of, now);
          shown = this.#show(of, () => now, showing.signal);
        },
        keep: (came) => this.#reports.put(key, came, this.#until()),
        onProgress: (changed) => {
          now = { ...now, ...changed };
          onProgress?.(now.done);
        },
      });
      await ended();
      await this.#states.delete(key);
      return report;
    } catch (error) {
      await ended();
      if (error instanceof CommandRefused && (await this.#kind.hasEnded(of.id)))
        await this.#states.delete(key);
      throw error;
    }
  }

  /** Writes how far it is until the signal aborts. */
  async #show(of: WorkOfTeam, now: () => State, until: AbortSignal): Promise<void> {
    for (;;) {
      await pause(showEveryMs, until);
      if (until.aborted) return;
      // The side store may be away for a moment. How far it is is written again.
      await this.put(of, now()).catch(() => undefined);
    }
  }

  #until(): Date {
    return new Date(this.#now().getTime() + keptMs);
  }
}

const stopped = new Error('The server stops.');

/** A team has one import, or one undoing, at a time, whichever process does it: this lease. */
export const importLeaseOf = (team: string): string => `import-${team}`;

/** How long a team waits for its lease: somebody may be looking whether it is free. */
export const leaseWaitMs = 1_000;

/** Does the work while no other import of the team runs. `lost`: the work must stop. @throws CommandRefused conflict, when one does */
export async function oneAtATime<Result>(
  leases: Leases,
  team: string,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lease: Lease | undefined = await leases.acquire(
    importLeaseOf(team),
    AbortSignal.timeout(leaseWaitMs),
  );
  if (!lease)
    throw new CommandRefused('conflict', 'An import of your team is running. Try again when it has ended.');
  try {
    return await work(lease.lost);
  } finally {
    await lease.release();
  }
}

/** Does the work when no other of this name is done, by whichever process. Waits for its turn. @throws the reason of the signal */
export async function inTurn<Result>(
  leases: Leases,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const lease = await leases.acquire(name, signal);
  signal.throwIfAborted();
  if (!lease) throw new Error(`The lease ${name} was neither taken nor given up.`);
  try {
    return await work(AbortSignal.any([lease.lost, signal]));
  } finally {
    await lease.release();
  }
}

/** An import, or another piece of work on many records of a team. */
export interface WorkOfTeam {
  readonly team: string;
  /** Also the correlation id of all its events. */
  readonly id: string;
}

/** By what the side store has what is kept of it. */
export const workKey = ({ team, id }: WorkOfTeam): string => `${team}/${id}`;
