import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import { nameOf, typesOf } from './read-model.ts';
import type { FailedWork, Failures } from './stalled-projections.ts';
import { GiveWay } from './rebuild/give-way.ts';
import { levelCheck } from './level-check.ts';
import type { ProjectorTasks } from './projector-tasks.ts';
import { failsAll, Tail, type Member } from './tail.ts';
import { hasAborted } from '../../ground/retry.ts';

/** A projection that catches up with the log before it joins its tail. */
export interface Joining {
  readonly member: Member;
  readonly work: FailedWork;
  /** Joins the tail, unless it is too far behind. `given up`: it has failed for good or is not wanted any more. */
  readonly join: () => Promise<'joined' | 'behind' | 'given up'>;
  /** False once another generation is served in its place, or the rebuild is cancelled. */
  readonly isWanted: () => boolean;
  /** Called once, when it is not wanted any more and nothing writes it. */
  readonly abandon?: () => Promise<void>;
}

export interface CatchUpOptions {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly failures: Failures;
  readonly tasks: ProjectorTasks;
}

/** Catches up projections that are new, rebuilt or failing, separately from the tails. */
export class CatchUp {
  readonly #options: CatchUpOptions;
  /** Consecutive failures of a member. */
  readonly #failed = new Map<Member, number>();
  readonly #running = new Set<{ readonly tail: Tail; readonly end: () => void }>();

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  /** Resolves when each has joined its tail or has failed. One that failed is retried in the background. */
  async run(joining: readonly Joining[]): Promise<void> {
    const { signal } = this.#options.tasks;
    for (let waiting = joining; waiting.length > 0 && !signal.aborted;) {
      const remaining: Joining[] = [];
      for (const each of await this.#untilLevel(await this.#wanted(waiting)))
        if (!(await this.join(each))) remaining.push(each);
      waiting = remaining;
    }
  }

  /** False when the projection is too far behind to join its tail. One that fails is retried in the background. */
  async join(each: Joining): Promise<boolean> {
    const { failures, tasks } = this.#options;
    const name = nameOf(each.member.projection);
    const answer = await tasks.retried(
      () => [name],
      each.work,
      async (): Promise<Awaited<ReturnType<Joining['join']>> | { readonly failed: unknown }> => {
        if (!each.isWanted()) {
          await each.abandon?.();
          return 'given up';
        }
        try {
          return await each.join();
        } catch (error) {
          if (failsAll(error)) throw error;
          return { failed: error };
        }
      },
    );
    if (typeof answer === 'object') {
      this.again(each, answer.failed);
      return true;
    }
    if (answer === 'joined') {
      this.#failed.delete(each.member);
      await tasks.retried(
        () => [],
        each.work,
        () => failures.clear(name, each.work),
      );
    }
    return answer !== 'behind';
  }

  /** Takes one that is not wanted any more out of its catch-up, and out of its wait after a failure. */
  async leave(each: Joining): Promise<void> {
    this.#options.tasks.hurry(nameOf(each.member.projection));
    for (const { tail, end } of this.#running) {
      if (!(await tail.dismiss(each.member))) continue;
      if (tail.members.length === 0) end();
      await each.abandon?.();
    }
  }

  /** Records the failure to fold or write an event, waits, and retries that event. */
  again(joining: Joining, error: unknown): void {
    const { failures, tasks } = this.#options;
    const failed = this.#failed.get(joining.member) ?? 0;
    this.#failed.set(joining.member, failed + 1);
    tasks.start(async () => {
      const name = nameOf(joining.member.projection);
      if (joining.isWanted()) {
        await failures.note(name, joining.work, error);
        await tasks.pause(name, failed);
      }
      if (joining.isWanted()) await this.run([joining]);
      else if (!tasks.signal.aborted) await joining.abandon?.();
    });
  }

  /** Those that are wanted. The others are abandoned. */
  async #wanted(joining: readonly Joining[]): Promise<readonly Joining[]> {
    for (let left = joining; ;) {
      const gone = left.filter((each) => !each.isWanted());
      if (gone.length === 0) return left;
      left = left.filter((each) => !gone.includes(each));
      for (const each of gone) await each.abandon?.();
    }
  }

  /** Returns those that have reached about the head of the log and can join. */
  async #untilLevel(joining: readonly Joining[]): Promise<readonly Joining[]> {
    const { store, documents, tasks } = this.#options;
    if (joining.length === 0) return [];
    const members = joining.map(({ member }) => member);
    const isLevel = levelCheck(store);
    const level = new AbortController();
    // A read model that nobody can read yet is not delayed: nodes are not ready without it.
    const giveWay = joining.every(({ work }) => work === 'rebuilding') ? new GiveWay() : undefined;
    const ends = AbortSignal.any([tasks.signal, level.signal]);
    const tail: Tail = new Tail({
      store,
      documents,
      from: members.reduce((oldest, { writer }) => earlier(oldest, writer.checkpoint), farEnd),
      filter: { types: typesOf(members.map(({ projection }) => projection)) },
      onRound: async (position) => {
        if (tail.members.length > 0 && !(await isLevel(position))) {
          await giveWay?.rest(ends);
          return;
        }
        // Creates the indexes before joining, so that the tail does not wait for them.
        for (const { writer } of tail.members) await writer.finish();
        level.abort();
      },
      onExpelled: (member, error) => {
        const each = joining.find((one) => one.member === member);
        if (each) this.again(each, error);
      },
    });
    for (const member of members) tail.begin(member);
    const names = () => tail.members.map(({ projection }) => nameOf(projection));
    const running = { tail, end: () => level.abort() };
    this.#running.add(running);
    while (!hasAborted(ends))
      await tasks.retried(names, joining[0]?.work ?? 'following', () => tail.run(ends), ends);
    this.#running.delete(running);
    return joining.filter(({ member }) => tail.members.includes(member));
  }
}

/** After every position. */
const farEnd: Position = 2n ** 63n - 1n;

const earlier = (one: Position, other: Position): Position => (one < other ? one : other);
