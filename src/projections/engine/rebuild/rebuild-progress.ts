import { pause } from '../../../ground/back-off.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { SideStore } from '../../../stores/side/port.ts';
import { modelOf, nameOf, type AnyProjection } from '../read-model.ts';
import { noted, rebuildNotes, type RebuildNote, type RebuildNotes } from './rebuild-notes.ts';
import type { RebuildRequest } from './rebuild-requests.ts';
import type { ProjectorTasks } from '../projector-tasks.ts';

/** The part of a rebuild under way that its note tells. */
export interface TrackedRebuild {
  readonly projection: AnyProjection;
  readonly generation: number;
  readonly request: RebuildRequest | undefined;
  readonly since: string;
  readonly events: number;
  readonly state: RebuildNote['state'];
}

const noteEveryMs = 1_000;

/** Notes the progress of the rebuilds under way, while there are any. */
export class ProgressNotes {
  readonly #notes: RebuildNotes;
  readonly #tasks: ProjectorTasks;
  /** With the events at the last note, from which the rate follows. */
  readonly #tracked = new Map<TrackedRebuild, number>();
  #isNoting = false;

  constructor(notes: RebuildNotes, tasks: ProjectorTasks) {
    this.#notes = notes;
    this.#tasks = tasks;
  }

  track(rebuild: TrackedRebuild): void {
    this.#tracked.set(rebuild, rebuild.events);
    if (this.#isNoting) return;
    this.#isNoting = true;
    this.#tasks.start(() => this.#noteAll());
  }

  untrack(rebuild: TrackedRebuild): void {
    this.#tracked.delete(rebuild);
  }

  async note(rebuild: TrackedRebuild, rate = 0): Promise<void> {
    const { projection, generation, request, since, events, state } = rebuild;
    const requested = request ? { request: request.id } : {};
    await this.#notes.building.put(nameOf(projection), {
      generation,
      ...requested,
      since,
      events,
      rate,
      state,
    });
  }

  async #noteAll(): Promise<void> {
    const { signal } = this.#tasks;
    for (let last = performance.now(); this.#tracked.size > 0;) {
      await pause(noteEveryMs, signal);
      if (signal.aborted) break;
      const seconds = (performance.now() - last) / 1_000;
      last = performance.now();
      const noting = [...this.#tracked].map(([rebuild, before]) => {
        this.#tracked.set(rebuild, rebuild.events);
        return this.note(rebuild, Math.round((rebuild.events - before) / seconds));
      });
      // Progress alone is no reason to stop: the side store may have no room while the read models have.
      await Promise.allSettled(noting);
    }
    this.#isNoting = false;
  }
}

/** How far a rebuild is. */
export interface RebuildProgress {
  /** The name of the read model, as `rebuild` takes it. */
  readonly projection: string;
  readonly generation: number;
  readonly version: number;
  readonly state: RebuildNote['state'];
  /** ISO 8601 UTC. */
  readonly since: string;
  /** A decimal string. */
  readonly checkpoint: string;
  /** Events that it folds: how many it has folded, and how many there will be, estimated from its place in the log. */
  readonly events: { readonly done: number; readonly total: number };
  /** Events a second, over the last second. */
  readonly rate: number;
}

interface ProgressParts {
  readonly store: Pick<EventStore, 'head'>;
  readonly documents: Documents;
  readonly side: SideStore;
}

/** The rebuilds under way, of whichever process. One that nobody works on has the progress that was noted last. */
export async function rebuildsUnderWay(
  { store, documents, side }: ProgressParts,
  projections: readonly AnyProjection[],
): Promise<RebuildProgress[]> {
  const notes = rebuildNotes(side);
  const head = await store.head();
  const each = projections.map(async (projection): Promise<RebuildProgress[]> => {
    const name = nameOf(projection);
    const note = await notes.building.get(name);
    const generation = note && noted(note, (await documents.generations(name)).building);
    if (!generation) return [];
    const { events: done, state, since, rate } = note;
    const { checkpoint, version } = generation;
    // How dense its events are in the rest of the log is not known. They are taken to be as dense as so far.
    const part = Number(checkpoint + 1n) / Math.max(1, Number(head + 1n));
    const total = part > 0 && part < 1 ? Math.round(done / part) : done;
    return [
      {
        projection: modelOf(projection),
        generation: generation.generation,
        version,
        state,
        since,
        checkpoint: checkpoint.toString(),
        events: { done, total },
        rate,
      },
    ];
  });
  return (await Promise.all(each)).flat();
}
