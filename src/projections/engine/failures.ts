import type { SideStore } from '../../stores/side/port.ts';
import { FoldError } from './fold-batch.ts';

/** Why a projection stands still; kept until it moves again. */
export interface ProjectionFailure {
  /** For operators: it may name streams. */
  readonly error: string;
  /** ISO 8601 UTC; since then it has not succeeded, however often it was tried again. */
  readonly since: string;
  /** The type of the event that cannot be folded, where that is why. */
  readonly event?: string;
  /** Whether a newer release has written it. */
  readonly unknown?: boolean;
}

export const failuresTable = 'projection-failures';

/** What failed: following the log, or a rebuild beside a read model that follows it well. */
export type FailedWork = 'following' | 'rebuilding' | 'watching';

interface FailuresOptions {
  readonly side: SideStore;
  readonly now: () => Date;
  /** Told what cannot be written down, as the side store is away too. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** The failures of projections, as `status` shows them. */
export class Failures {
  readonly #options: FailuresOptions;
  readonly #known = new Map<string, FailedWork>();

  constructor(options: FailuresOptions) {
    this.#options = options;
  }

  /** What an earlier process noted may be over; it is forgotten when the projection follows the log again. */
  async load(names: readonly string[]): Promise<void> {
    for (const name of names) if (await this.#table().get(name)) this.#known.set(name, 'following');
  }

  async note(name: string, work: FailedWork, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    try {
      const known = await this.#table().get(name);
      const since = known?.since ?? this.#options.now().toISOString();
      this.#known.set(name, work);
      await this.#table().put(name, {
        error: message,
        since,
        ...(error instanceof FoldError ? { event: error.eventType, unknown: error.isUnknown } : {}),
      });
    } catch {
      // Where it would be noted is away as well, and that is most likely why.
      this.#options.onFault(`projection ${name}`, error);
    }
  }

  /** What failed before has succeeded. */
  async clear(name: string, work: FailedWork): Promise<void> {
    if (this.#known.get(name) !== work) return;
    await this.#table().delete(name);
    this.#known.delete(name);
  }

  /** Whether anything is noted that `clear` would have to look at. */
  get any(): boolean {
    return this.#known.size > 0;
  }

  #table() {
    return this.#options.side.table<ProjectionFailure>(failuresTable);
  }
}
