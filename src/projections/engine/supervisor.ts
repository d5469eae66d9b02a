import { setTimeout as sleep } from 'node:timers/promises';
import { isFenced, isReplaced, retry } from '../../runtime/retry.ts';
import type { FailedWork, Failures } from './failures.ts';

const longestWaitMs = 60_000;

interface SupervisorOptions {
  readonly signal: AbortSignal;
  readonly failures: Failures;
  /** First wait after a failure; it doubles up to a minute. */
  readonly retryMs?: number | undefined;
}

/** Runs the tasks of one projector side by side, tries again what fails, and ends all of them together. */
export class Supervisor {
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #failures: Failures;
  readonly #retryMs: number;
  readonly #tasks = new Set<Promise<void>>();
  #fatal: { readonly error: unknown } | undefined;

  constructor({ signal, failures, retryMs = 1_000 }: SupervisorOptions) {
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#failures = failures;
    this.#retryMs = retryMs;
  }

  /** Starts a task. An error that no retry can mend ends all the others. */
  start(task: () => Promise<void>): void {
    const running = task()
      .catch((error: unknown) => {
        this.#fatal ??= { error };
        this.#stop.abort();
      })
      .finally(() => this.#tasks.delete(running));
    this.#tasks.add(running);
  }

  /** Resolves when every task has ended. @throws the error that ended them */
  async ended(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
    if (this.#fatal) throw this.#fatal.error;
  }

  /**
   * Repeats an attempt that fails, after ever longer waits, and notes each failure for the projections that it
   * concerns. Undefined when the signal aborts first. A fenced write means that another process projects by now:
   * it ends every task.
   *
   * @throws StoreError replaced, when the read models' files were exchanged under us
   */
  async retried<Result>(
    names: () => readonly string[],
    work: FailedWork,
    attempt: () => Promise<Result>,
    signal = this.signal,
  ): Promise<Result | undefined> {
    const done = new AbortController();
    let result: Result | undefined;
    const once = async () => {
      try {
        result = await attempt();
        done.abort();
      } catch (error) {
        if (isFenced(error)) this.#stop.abort();
        if (signal.aborted || isReplaced(error)) throw error;
        for (const name of names()) await this.#failures.note(name, work, error);
        throw error;
      }
    };
    await retry(once, {
      signal: AbortSignal.any([signal, done.signal]),
      // Noted already.
      onFault: () => undefined,
      firstMs: this.#retryMs,
      longestMs: longestWaitMs,
    });
    return result;
  }

  /** Waits as `retried` does after so many failures in a row. */
  async pause(failures: number): Promise<void> {
    const wait = Math.min(this.#retryMs * 2 ** Math.min(failures, 20), longestWaitMs);
    await sleep(wait, undefined, { signal: this.signal }).catch(() => undefined);
  }
}
