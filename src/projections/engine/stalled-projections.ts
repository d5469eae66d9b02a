import type { SideStore } from '../../stores/side/port.ts';
import { FoldError, type FailedEvent } from './fold-batch.ts';
import { messageOf } from '../../ground/store-error.ts';

/** Why a projection is stalled. Removed when it advances again. */
export interface ProjectionFailure {
  /** For operators: it may contain names of streams. */
  readonly error: string;
  /** ISO 8601 UTC. The first failure since the last success. */
  readonly since: string;
  /** The type of the event that cannot be folded, if that is the reason. */
  readonly event?: string;
  /** Which event it is. Absent in a failure that an older release recorded. */
  readonly at?: FailedEvent;
  /** Whether a newer release wrote the event. */
  readonly unknown?: boolean;
  /** It fails only in a new generation. The one that is served follows the log. */
  readonly rebuilding?: true;
}

export const failuresTable = 'projection-failures';

/** What failed: following the log, a rebuild while the current generation is served, or reading rebuild requests. */
export type FailedWork = 'following' | 'rebuilding' | 'watching';

interface FailuresOptions {
  readonly side: SideStore;
  readonly now: () => Date;
  /** Called with failures that cannot be stored because the side store is down too. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** The failures of projections, as `status` shows them. */
export class Failures {
  readonly #options: FailuresOptions;
  readonly #failing = new Map<string, FailedWork>();

  constructor(options: FailuresOptions) {
    this.#options = options;
  }

  /** Loads failures of an earlier process. They are removed when the projection follows the log again. */
  async load(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const failure = await this.#table().get(name);
      if (failure) this.#failing.set(name, failure.rebuilding ? 'rebuilding' : 'following');
    }
  }

  async note(name: string, work: FailedWork, error: unknown): Promise<void> {
    const message = messageOf(error);
    try {
      const stored = await this.#table().get(name);
      const since = stored?.since ?? this.#options.now().toISOString();
      this.#failing.set(name, work);
      await this.#table().put(name, {
        error: message,
        since,
        ...(work === 'rebuilding' ? { rebuilding: true } : {}),
        ...(error instanceof FoldError
          ? { event: error.eventType, at: error.event, unknown: error.isUnknown }
          : {}),
      });
    } catch {
      // The side store is down too, probably for the same reason.
      this.#options.onFault(`projection ${name}`, error);
    }
  }

  /** Removes the failure of this work, after it has succeeded. */
  async clear(name: string, work: FailedWork): Promise<void> {
    if (this.#failing.get(name) !== work) return;
    await this.#table().delete(name);
    this.#failing.delete(name);
  }

  /** Whether any failure is recorded. */
  get any(): boolean {
    return this.#failing.size > 0;
  }

  #table() {
    return this.#options.side.table<ProjectionFailure>(failuresTable);
  }
}
