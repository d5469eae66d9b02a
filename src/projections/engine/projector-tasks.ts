import { backOff, pause } from '../../ground/back-off.ts';
import { isFenced, isReplaced, retry } from '../../ground/retry.ts';
import type { FailedWork, Failures } from './stalled-projections.ts';

const longestWaitMs = 60_000;

interface ProjectorTasksOptions {
  readonly signal: AbortSignal;
  readonly failures: Failures;
  /** The first wait after a failure. It doubles up to a minute. */
  readonly retryMs?: number | undefined;
}

/** Runs the tasks of one projector concurrently, retries failed attempts, and ends all tasks together. */
export class ProjectorTasks {
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #failures: Failures;
  readonly #retryMs: number;
  readonly #tasks = new Set<Promise<void>>();
  /** Waits after failures, by the projections that failed. */
  readonly #waits = new Set<{ readonly names: readonly string[]; readonly end: AbortController }>();
  #fatal: { readonly error: unknown } | undefined;

  constructor({ signal, failures, retryMs = 1_000 }: ProjectorTasksOptions) {
    this.signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#failures = failures;
    this.#retryMs = retryMs;
  }

  /** Starts a task. When it throws, all other tasks end. */
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
   * Retries an attempt with backoff, and records each failure for the projections named. Undefined when the signal
   * aborts first. A fenced write ends every task: another process holds the lease now.
   *
   * @throws StoreError replaced, when the read models' files were replaced while in use
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
      // Already recorded above.
      onFault: () => undefined,
      firstMs: this.#retryMs,
      longestMs: longestWaitMs,
      wait: (ms, until) => this.#wait(names(), ms, until),
    });
    return result;
  }

  /** Waits as long as `retried` does after this many consecutive failures of a projection. */
  async pause(name: string, failures: number): Promise<void> {
    const ms = backOff(failures + 1, { firstMs: this.#retryMs, longestMs: longestWaitMs });
    await this.#wait([name], ms, this.signal);
  }

  /** Ends the waits of a failing projection: it is tried at once. */
  hurry(name: string): void {
    for (const { names, end } of this.#waits) if (names.includes(name)) end.abort();
  }

  async #wait(names: readonly string[], ms: number, until: AbortSignal): Promise<void> {
    const wait = { names, end: new AbortController() };
    this.#waits.add(wait);
    const signal = AbortSignal.any([until, wait.end.signal]);
    await pause(ms, signal);
    this.#waits.delete(wait);
  }
}
